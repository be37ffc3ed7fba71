"""What the base install downloads is added up, and too much is a failure."""

import zipfile

import pytest
from picograve_tools import measure_download


def wheel(folder, name, *needs):
    """A wheel with nothing in it but its name and what it needs."""
    info = "%s-1.0.dist-info/" % name
    metadata = ["Metadata-Version: 2.1", "Name: " + name, "Version: 1.0"]
    metadata += [
        "Requires-Dist: %s @ %s" % (need.name.split("-")[0], need.as_uri()) for need in needs
    ]
    path = folder / ("%s-1.0-py3-none-any.whl" % name)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info + "METADATA", "\n".join(metadata) + "\n")
        archive.writestr(info + "WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(info + "RECORD", "")
    return path


def test_a_wheel_and_what_it_needs_are_downloaded(tmp_path):
    small = wheel(tmp_path, "small")
    large = wheel(tmp_path, "large", small)
    assert measure_download.download(str(large)) == {
        path.name: path.stat().st_size for path in (large, small)
    }


@pytest.mark.parametrize(("megabytes", "code"), [(60, 0), (80, 1)])
def test_more_than_the_limit_is_a_failure(megabytes, code, monkeypatch, capsys):
    files = {"a.whl": 80_000_000, "b.whl": megabytes * 1_000_000}
    monkeypatch.setattr(measure_download, "download", lambda wheel, python: files)
    assert measure_download.main(["a.whl"]) == code
    assert "%.1f MB in all" % (80 + megabytes) in capsys.readouterr().out
