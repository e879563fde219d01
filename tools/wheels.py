"""The contents of wheels, and the check of a wheel before it is published.

The check compares the wheel's name with its content: the formats, machines and exports of its modules (which LIEF
reads), the tags, the classifiers, and RECORD.
"""

import base64
import csv
import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from tools.programs import ToolError, read_zip

MODULE_SUFFIXES = (".so", ".pyd")

#: The names that the linker adds to the exports of each module for macOS.
_OF_LINKER = {"__mh_dylib_header", "___dso_handle"}


class Platform(NamedTuple):
    """A platform of wheels: a pattern of its tags, LIEF's names of its format and machine, and its classifier."""

    tag: str
    format: str
    machine: str
    classifier: str


_SYSTEM = "Operating System :: "
_LINUX, _MACOS, _WINDOWS = (f"{_SYSTEM}{name}" for name in ("POSIX :: Linux", "MacOS", "Microsoft :: Windows"))

PLATFORMS = (
    Platform(r"(many|musl)linux.*_x86_64", "ELF", "X86_64", _LINUX),
    Platform(r"(many|musl)linux.*_aarch64", "ELF", "ARM64", _LINUX),
    Platform(r"macosx_.*_x86_64", "MACHO", "X86_64", _MACOS),
    Platform(r"macosx_.*_arm64", "MACHO", "ARM64", _MACOS),
    Platform(r"win_amd64", "PE", "X86_64", _WINDOWS),
)


def platform_of(tag: str) -> Platform:
    """Return the platform of a wheel's tag, such as win_amd64. Raise ToolError if the tag is unknown."""
    found = next((platform for platform in PLATFORMS if re.fullmatch(platform.tag, tag)), None)
    if found is None:
        raise ToolError(f"no platform is known for the tag {tag}")
    return found


def retagged(
    files: Mapping[str, bytes], python_tag: str, abi_tag: str, platform_tags: Iterable[str]
) -> dict[str, bytes]:
    """Return a wheel's files with new tags in WHEEL, a new system in METADATA, and a new RECORD."""
    tags = [*platform_tags]
    (wheel,) = (name for name in files if name.endswith(".dist-info/WHEEL"))
    metadata, record = (wheel.replace("WHEEL", name) for name in ("METADATA", "RECORD"))
    kept = [line for line in files[wheel].decode().splitlines() if line and not line.startswith("Tag: ")]
    new = {name: content for name, content in files.items() if name != record}
    new[wheel] = "\n".join([*kept, *(f"Tag: {python_tag}-{abi_tag}-{tag}" for tag in tags), ""]).encode()
    is_system = re.compile(rf"(?:Classifier: {_SYSTEM}.*\n)+")
    # Replace the wheel's classifiers of systems by the classifier of the new system.
    system = f"Classifier: {platform_of(tags[0]).classifier}\n"
    new[metadata] = is_system.sub(system, files[metadata].decode(), count=1).encode()
    new[record] = "".join([*(_recorded(name, new[name]) for name in sorted(new)), f"{record},,\n"]).encode()
    return new


def _recorded(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    return f"{name},sha256={digest},{len(content)}\n"


# Functions that check a wheel


def check_wheel(wheel: Path, modules: Iterable[str], places: Iterable[Path]) -> None:
    """Raise ToolError, with one line, if a wheel's content does not agree with its name.

    modules: the wheel's files in little_go/solver/native/. places: the directories of the build, whose paths no file
    may contain.
    """
    files = read_zip(wheel)
    python_tag, abi_tag, joined = wheel.stem.split("-")[2:]
    tags = joined.split(".")
    found = {name: content for name, content in files.items() if name.endswith(MODULE_SUFFIXES)}
    faults = [
        *_metadata_faults(files, [f"{python_tag}-{abi_tag}-{tag}" for tag in tags], platform_of(tags[0]).classifier),
        *_record_faults(files),
        *named_places(files, places),
    ]
    expected = {f"little_go/solver/native/{name}" for name in modules}
    if found.keys() != expected:
        faults.append(f"its modules are {', '.join(sorted(found))} instead of {', '.join(sorted(expected))}")
    for name, content in sorted(found.items()):
        faults += (f"{name} {fault}" for tag in tags for fault in module_faults(name, content, platform_of(tag)))
    if faults:
        raise ToolError(f"{wheel.name}: {faults[0]}", "\n".join(faults))


def module_faults(name: str, content: bytes, platform: Platform) -> Iterator[str]:
    """Yield the faults of an extension module: a wrong format, machine, set of exports or install name."""
    # Import LIEF here, because only requirements/release.txt lists it, so it may not be installed.
    import lief

    # Disable LIEF's warnings, which are about tables that zig's linker leaves empty.
    lief.logging.disable()
    binary = lief.parse(content)
    if not isinstance(binary, lief.Binary):
        yield "is not a module of a known format"
        return
    kind = (binary.format.name, binary.abstract.header.architecture.name)
    if kind != (platform.format, platform.machine):
        yield f"is {' for '.join(kind)}, not {platform.format} for {platform.machine}"
    start = f"PyInit_{PurePosixPath(name).name.split('.')[0]}"
    exported = sorted(_exports(binary))
    if exported != [start]:
        yield f"exports {', '.join(exported) or 'nothing'}, not {start} alone"
    if isinstance(binary, lief.MachO.Binary):
        commands = (each for each in binary.commands if isinstance(each, lief.MachO.DylibCommand))
        own = [str(each.name) for each in commands if each.command == lief.MachO.LoadCommand.TYPE.ID_DYLIB]
        if own != [PurePosixPath(name).name]:
            yield f"has the install_name {', '.join(own) or 'of nothing'}"


def _exports(binary: Any) -> set[str]:
    import lief

    if isinstance(binary, lief.PE.Binary):
        table = binary.get_export()
        return set() if table is None else {str(entry.name) for entry in table.entries}
    names = {str(symbol.name) for symbol in binary.exported_symbols}
    # On macOS an underscore precedes each C name.
    return {name[1:] for name in names - _OF_LINKER} if isinstance(binary, lief.MachO.Binary) else names


def _metadata_faults(files: Mapping[str, bytes], tags: Sequence[str], classifier: str) -> Iterator[str]:
    lines = {
        name: next((content for path, content in files.items() if path.endswith(f".dist-info/{name}")), b"")
        .decode()
        .splitlines()
        for name in ("WHEEL", "METADATA")
    }
    listed = [line.removeprefix("Tag: ") for line in lines["WHEEL"] if line.startswith("Tag: ")]
    if listed != tags:
        yield f"WHEEL has the tags {', '.join(listed)}, not {', '.join(tags)}"
    systems = [line.removeprefix("Classifier: ") for line in lines["METADATA"] if f": {_SYSTEM}" in line]
    if systems != [classifier]:
        yield f"METADATA has {', '.join(systems) or 'no system'}, not {classifier}"


def _record_faults(files: Mapping[str, bytes]) -> Iterator[str]:
    records = [name for name in files if name.endswith(".dist-info/RECORD")]
    if len(records) != 1:
        yield f"there are {len(records)} RECORDs"
        return
    listed = {name: (digest, size) for name, digest, size in csv.reader(io.StringIO(files[records[0]].decode()))}
    for name in sorted(listed.keys() ^ files.keys()):
        yield f"{name} is not both in the wheel and in its RECORD"
    for name in sorted(listed.keys() & files.keys() - {records[0]}):
        digest, size = listed[name]
        sha = hashlib.sha256(files[name]).digest()
        if (base64.urlsafe_b64decode(f"{digest.removeprefix('sha256=')}="), size) != (sha, str(len(files[name]))):
            yield f"{name} differs from its entry in RECORD"


def named_places(files: Mapping[str, bytes], places: Iterable[Path]) -> Iterator[str]:
    """Yield a line for each file that contains the path of a directory of the build."""
    for place in places:
        name = str(place).encode()
        yield from (f"{path} names {place}" for path, content in files.items() if name in content)
