"""`picograve completion`: a script that makes a shell complete commands and options.

    bash   eval "$(picograve completion bash)" in ~/.bashrc
    zsh    eval "$(picograve completion zsh)" in ~/.zshrc, after compinit
    fish   picograve completion fish > ~/.config/fish/completions/picograve.fish

The words are those of the parser, written into the script: pressing Tab starts no Python.
"""

import argparse
import shlex
from argparse import Namespace

from picograve_host.cli import make_parser

BASH = """\
_picograve() {
    local words typed="${COMP_WORDS[*]:1:$((COMP_CWORD - 1))} "
    case "$typed" in
%s
    esac
    COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _picograve picograve"""
ZSH = "autoload -U +X bashcompinit && bashcompinit\n" + BASH


def main(options: Namespace) -> int:
    commands = list(_commands(make_parser()))
    if options.shell == "fish":
        print("\n".join(_fish(commands)))
    else:
        print({"bash": BASH, "zsh": ZSH}[options.shell] % "\n".join(_cases(commands)))
    return 0


def _commands(parser, path=()):
    """(words that lead there, [(word, help)] that may follow) of each parser, deepest first."""
    follow = []
    for action in parser._actions:  # argparse has no public way to list them
        if isinstance(action, argparse._SubParsersAction):
            texts = {choice.dest: choice.help for choice in action._choices_actions}
            for name, child in action.choices.items():
                yield from _commands(child, (*path, name))
                follow.append((name, texts[name]))
        elif action.option_strings:
            follow += [(option, action.help) for option in action.option_strings]
        else:
            follow += [(choice, None) for choice in action.choices or ()]
    yield path, follow


def _cases(commands):
    for path, follow in commands:
        start = "".join(word + " " for word in path)
        yield '        "%s"*) words="%s" ;;' % (start, " ".join(word for word, _ in follow))


def _fish(commands):
    for path, follow in commands:
        seen = "; and ".join("__fish_seen_subcommand_from " + word for word in path)
        for word, text in follow:
            what = "-f -a " + word
            if word.startswith("-"):
                what = "-%s %s" % ("l" if word.startswith("--") else "s", word.lstrip("-"))
            about = " -d " + shlex.quote(text.replace("%%", "%")) if text else ""
            when = seen or "__fish_use_subcommand"
            yield "complete -c picograve -n '%s' %s%s" % (when, what, about)
