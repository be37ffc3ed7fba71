"""`picograve --version`, and the scripts of `picograve completion` in the shells themselves."""

import shutil
import subprocess

import picograve
import pytest
from picograve_host import cli

BASH = """
%s
COMP_WORDS=(%s) COMP_CWORD=%d
_picograve
echo "${COMPREPLY[*]}"
"""


def script(shell, capsys):
    assert cli.main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", ["bash", "zsh"])
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("picograve th", "think"),
        ("picograve --v", "--version"),
        ("picograve lab rep", "report"),
        ("picograve lab run --sch", "--scheduler"),
        ("picograve lab report --sch", ""),
        ("picograve lab tune --conf", "--confirm"),
        ("picograve completion f", "fish"),
        ("picograve budget --json --preset paper --playout-p", "--playout-policy"),
    ],
)
def test_a_shell_completes_the_words_of_the_parser(shell, typed, completed, capsys):
    if not shutil.which(shell):
        pytest.skip("no %s" % shell)
    words = typed.split()
    text = BASH % (script(shell, capsys), typed, len(words) - 1)
    if shell == "zsh":  # bashcompinit runs scripts so; it chooses by the prefix afterwards
        text = "autoload -U compinit && compinit -u -D && emulate -L ksh\n" + text
    answer = subprocess.run([shell, "-c", text], capture_output=True, text=True)
    offered = [word for word in answer.stdout.split() if word.startswith(words[-1])]
    assert offered == completed.split(), answer.stderr


def test_fish_completes_the_words_of_the_parser(capsys):
    if not shutil.which("fish"):
        pytest.skip("no fish")
    text = script("fish", capsys) + "complete -C 'picograve lab run --sch'\n"
    answer = subprocess.run(["fish", "--no-config", "-c", text], capture_output=True, text=True)
    assert answer.stdout.split()[:1] == ["--scheduler"], answer.stderr


def test_the_version_is_that_of_the_package(capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == "picograve %s\n" % picograve.__version__
