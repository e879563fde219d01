import json
import os
import shutil
import subprocess
import sys
from contextlib import AbstractContextManager, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.arena.__main__ import main
from little_go.arena.match.contestant import Contestant, FunctionContestant
from little_go.arena.match.host import OPENING
from little_go.arena.match.interpreter import find_interpreter
from little_go.arena.match.limits import ProgramError, SandboxError
from little_go.arena.match.programs import lay_out, open_runner
from little_go.arena.match.sandbox import check_sandbox
from little_go.arena.standings.entrants import BUILT_IN, Entrant, Terms, UnknownAgent, parse_entrant
from little_go.arena.standings.entrants import open_contestant as open_entrant
from little_go.solver.family import COURSE
from tests.arena.helpers import AMPLE

TERMS = Terms(COURSE, AMPLE)

needs_java = pytest.mark.skipif(shutil.which("javac") is None, reason="no javac here: Debian's default-jdk-headless")
needs_cpp = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ here")


def open_contestant(text: str, terms: Terms = TERMS) -> AbstractContextManager[Contestant]:
    return open_entrant(parse_entrant(text), terms)


def test_built_in_agents_run_in_this_process() -> None:
    with open_contestant("greedy", TERMS) as contestant:
        assert isinstance(contestant, FunctionContestant)
        assert contestant.name == "greedy"


def test_each_program_gets_a_directory_of_its_own_with_its_book(tmp_path: Path) -> None:
    (tmp_path / "my_player3.py").write_text(
        "import os, json\n"
        "place = json.load(open('book.json'))['place']\n"
        "open(place, 'a').write(os.getcwd() + '\\n' + '\\n'.join(sorted(os.listdir('.'))) + '\\n')\n"
        "open('output.txt', 'w').write('2,2')\n"
    )
    (tmp_path / "book.json").write_text(json.dumps({"place": str(tmp_path / "seen")}))
    (tmp_path / "other.txt").write_text("stays behind")
    path = str(tmp_path / "my_player3.py")
    with open_contestant(path, TERMS) as black, open_contestant(path, TERMS) as white:
        assert black.reply(OPENING).text == white.reply(OPENING).text == "2,2"
        first, *files = (tmp_path / "seen").read_text().splitlines()
        assert files[:3] == ["book.json", "input.txt", "my_player3.py"]
        second = files[3]
        assert first != second
        assert Path(first).is_dir()
    assert not Path(first).exists()


def test_program_without_a_book_is_welcome(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("open('output.txt', 'w').write('2,2')")
    with open_contestant(str(tmp_path / "plain.py"), TERMS) as contestant:
        assert contestant.reply(OPENING).text == "2,2"


@pytest.mark.parametrize(("agent", "hint"), [("mine.py", "; no such module is next to the file"), ("", "")])
def test_a_module_that_is_not_there_is_reported_with_what_to_do(tmp_path: Path, agent: str, hint: str) -> None:
    (tmp_path / "mine.py").write_text("import rules_of_mine\n")
    with open_contestant(str(tmp_path / agent)) as contestant:
        told = contestant.reply(OPENING).complaint
    assert told == f"ModuleNotFoundError: No module named 'rules_of_mine' (mine.py, line 1){hint}"


def own_python(folder: Path, *lines: str) -> Path:
    """Return a script that starts this Python, as pyenv's scripts do, after other lines."""
    shell = folder / "interpreter"
    shell.write_text("\n".join(["#!/bin/sh", *lines, f'exec {sys.executable} "$@"', ""]))
    shell.chmod(0o755)
    return shell


def test_interpreter_can_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text("open('output.txt', 'w').write('1,2')")
    shell = own_python(tmp_path, f"touch {tmp_path}/asked")
    with open_contestant(str(tmp_path / "player.py"), Terms(COURSE, AMPLE, str(shell))) as contestant:
        assert contestant.reply(OPENING).text == "1,2"
        assert (tmp_path / "asked").exists()


#: The error of pyenv's python3.7 if the user has chosen another version.
SHIM = """#!/bin/sh
cat >&2 <<.
pyenv: python3.7: command not found

The 'python3.7' command exists in these Python versions:
  3.7.16

Note: See 'pyenv help global' for tips on allowing both
      python2 and python3 to be found at the same time.
.
exit 127
"""


@pytest.mark.parametrize("agent", ["my_player3.py@{}", "mine=my_player3.py@{}"])
def test_an_interpreter_that_cannot_start_is_refused_before_the_first_game(tmp_path: Path, agent: str) -> None:
    shim = tmp_path / "python3.7"
    shim.write_text(SHIM)
    shim.chmod(0o755)
    out = tmp_path / "out"
    for words in (
        ["tournament", agent.format(shim), "greedy", "--out", str(out)],
        ["play", "--black", agent.format(shim), "--white", "greedy"],
        ["grade", "my_player3.py", "--python", str(shim)],
    ):
        result = CliRunner().invoke(main, words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == (
            "Error: cannot use agent 'my_player3.py': the Python interpreter "
            f"'{shim}' does not start: pyenv: python3.7: command not found\n"
        )
    assert not out.exists()


@pytest.mark.parametrize("content", ["#!/bin/sh\n", "#!/bin/sh\necho 3.7\n", "#!/no/such/program\n"])
def test_what_is_no_python_is_refused(tmp_path: Path, content: str) -> None:
    shell = tmp_path / "python"
    shell.write_text(content)
    shell.chmod(0o755)
    with (
        pytest.raises(UnknownAgent, match="does not start: "),
        open_contestant(__file__, Terms(COURSE, AMPLE, str(shell))),
    ):
        pass


# Packages


def importing(folder: Path, module: str) -> Path:
    path = folder / "player.py"
    path.write_text(f"import {module}\nopen('output.txt', 'w').write('1,2')\n")
    return path


@pytest.mark.parametrize("module", ["click", "sgfmill"])
def test_an_agent_cannot_import_what_is_installed_for_us_unless_asked(tmp_path: Path, module: str) -> None:
    agent = str(importing(tmp_path, module))
    with open_contestant(agent) as contestant:
        assert f"ModuleNotFoundError: No module named '{module}'" in contestant.reply(OPENING).complaint
    with open_contestant(agent, TERMS._replace(packages=(module,))) as contestant:
        assert contestant.reply(OPENING).text == "1,2"


@pytest.mark.system
@pytest.mark.parametrize("command", ["play", "tournament", "grade"])
def test_a_course_file_lists_packages_for_each_command(tmp_path: Path, command: str) -> None:
    agent = str(importing(tmp_path, "click"))
    words = {
        "play": ["play", "--black", agent, "--white", "greedy"],
        "tournament": ["tournament", agent, "greedy", "--games", "1"],
        "grade": ["grade", agent, "--scheme", "2020", "--submit", "--games", "1"],
    }[command]
    assert "No module named 'click'" in CliRunner().invoke(main, words).stdout
    (tmp_path / "course.toml").write_text('packages = ["click"]\n')
    assert "No module" not in CliRunner().invoke(main, [*words, "--course", str(tmp_path / "course.toml")]).stdout


def test_an_agent_has_the_listed_packages_alone_and_all_that_they_import(tmp_path: Path) -> None:
    """rich imports pygments, which is not listed: so only rich can import it, and only when it is needed."""
    (tmp_path / "player.py").write_text(
        "import rich.syntax, importlib.metadata\n"
        "importlib.metadata.version('rich')\n"
        "rich.syntax.Syntax('x = 1', 'python').highlight('x = 1')\n"
        "assert 'pygments.lexers.python' in __import__('sys').modules\n"
        "open('output.txt', 'w').write('1,2')\nimport click\n"
    )
    with open_contestant(str(tmp_path / "player.py"), TERMS._replace(packages=("rich",))) as contestant:
        reply = contestant.reply(OPENING)
    assert reply.text == "1,2"
    assert reply.complaint.startswith("ModuleNotFoundError: No module named 'click' (player.py, line 6)")


def test_a_listed_package_that_is_not_installed_is_one_line(tmp_path: Path) -> None:
    terms = TERMS._replace(packages=("nosuch", "click", "other"))
    with (
        pytest.raises(UnknownAgent, match=r"the course file lists nosuch, other, which .* does not have: install"),
        open_contestant(str(importing(tmp_path, "json")), terms),
    ):
        pass


def test_files_that_a_course_does_not_allow_stay_behind(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    (agent / "tables").mkdir(parents=True)
    (agent / "my_player3.py").write_text(
        "import os\nopen('output.txt', 'w').write('1,2')\nraise OSError(os.listdir())\n"
    )
    for name in ("a.json", "b.bin", "tables/c.bin"):
        (agent / name).touch()
    for files, there in ((None, {"a.json", "b.bin", "tables"}), (("*.json", "tables/*.bin"), {"a.json", "tables"})):
        with open_contestant(str(agent), TERMS._replace(files=files)) as contestant:
            complaint = contestant.reply(OPENING).complaint
        assert {name for name in ("a.json", "b.bin", "tables") if repr(name) in complaint} == there


def test_an_agent_has_its_modules_and_no_variables_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, python: str
) -> None:
    """The user of the arena may have PYTHONPATH and packages. The agent has ``exit`` and its own modules."""
    agent, foreign = tmp_path / "agent", tmp_path / "foreign"
    (agent / "package").mkdir(parents=True)
    foreign.mkdir()
    (foreign / "foreign.py").touch()
    (agent / "package" / "moves.py").write_text("MOVE = '1,2'\n")
    (agent / "my_player3.py").write_text(
        "import os, sys\nfrom package.moves import MOVE\n"
        "try:\n    import foreign\nexcept ImportError:\n    open('output.txt', 'w').write(MOVE)\n"
        "assert not [path for path in sys.path if path.endswith('-packages') and os.listdir(path)], sys.path\n"
        # Debian's Python has its own module of that name.
        f"assert {str(foreign)!r} not in str(sys.modules.get('sitecustomize')), sys.modules\nexit(0)\n"
    )
    (foreign / "sitecustomize.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(foreign))
    monkeypatch.setenv("PYTHONSTARTUP", str(foreign / "foreign.py"))
    with open_contestant(str(agent), TERMS._replace(python=python)) as contestant:
        reply = contestant.reply(OPENING)
    assert (reply.text, reply.complaint) == ("1,2", "")


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_in_a_sandbox_an_agent_has_no_packages_either(tmp_path: Path, umask: int) -> None:
    with suppress(SandboxError):
        check_sandbox()
        before = os.umask(umask)
        try:
            with open_contestant(str(importing(tmp_path, "click")), TERMS._replace(sandboxed=True)) as contestant:
                assert "No module named 'click'" in contestant.reply(OPENING).complaint
            listed = TERMS._replace(sandboxed=True, packages=("click",))
            with open_contestant(str(importing(tmp_path, "click")), listed) as contestant:
                assert contestant.reply(OPENING).text == "1,2"
            with open_contestant(str(importing(tmp_path, "json")), TERMS._replace(sandboxed=True)) as contestant:
                assert contestant.reply(OPENING).text == "1,2"
        finally:
            os.umask(before)
        return
    pytest.skip("no sandbox here")


def test_interpreter_may_be_named_relative_to_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "player.py").write_text("open('output.txt', 'w').write('2,2')")
    (tmp_path / "python").symlink_to(sys.executable)
    monkeypatch.chdir(tmp_path)
    with open_contestant("player.py", Terms(COURSE, AMPLE, "./python")) as contestant:
        assert contestant.reply(OPENING).text == "2,2"


@pytest.mark.parametrize(
    "agent",
    ["nobody", "no/such/player.py", "", "tests", "README.md", "greedy@python3", "=", "x=", "a=b=c", "no/dir:x.py"],
)
def test_unknown_agent_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "README.md").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownAgent, match=r"cannot (use|run) agent"), open_contestant(agent, TERMS):
        pass


@pytest.mark.parametrize("agent", ["nobody", "gredy", "nobody.py", "no/such", "no/such/player.cpp", "nobody:x.py"])
def test_a_mistyped_agent_gets_the_advice_for_its_form(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single word may be a mistyped built-in agent, and a word with a suffix or a folder may be a mistyped path."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownAgent) as error, open_contestant(agent, TERMS):
        pass
    if "." in agent or "/" in agent:
        advice = "it does not exist; name a Python, Java or C++ file, or a directory"
    else:
        advice = f"give {', '.join(BUILT_IN)}, gtp:COMMAND, cmd:COMMAND, or the path of a Python, Java or C++ "
        advice += "file or of a directory that exists"
    assert str(error.value) == f"cannot use agent {agent!r}: {advice}"


def test_an_interpreter_that_does_not_answer_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("little_go.arena.match.interpreter._PATIENCE", 0.2)
    waits = tmp_path / "python"
    waits.write_text("#!/bin/sh\nexec sleep 20\n")
    waits.chmod(0o755)
    with pytest.raises(ProgramError, match=rf"^the Python interpreter '{waits}' does not start within 0\.2 s$"):
        find_interpreter(str(waits))


def test_unknown_interpreter_is_refused() -> None:
    with (
        pytest.raises(UnknownAgent, match="no Python interpreter"),
        open_contestant(__file__, Terms(COURSE, AMPLE, "no-python")),
    ):
        pass


# Names and interpreters


@pytest.mark.parametrize(
    ("text", "entrant"),
    [
        ("greedy", Entrant("greedy", "greedy")),
        ("weak=random", Entrant("weak", "random")),
        ("a/my_player3.py", Entrant("a/my_player3.py", "a/my_player3.py")),
        ("a/x.py@python3.7", Entrant("a/x.py@python3.7", "a/x.py", "python3.7")),
        ("alice 1=a/x.py@/usr/bin/python3", Entrant("alice 1", "a/x.py", "/usr/bin/python3")),
        ("bob=bots/bob:main.py@pypy3", Entrant("bob", "bots/bob:main.py", "pypy3")),
        ("cmd:env A=1 me@home", Entrant("cmd:env A=1 me@home", "cmd:env A=1 me@home")),
        ("shell=cmd:sh -c 'echo 2,2 > output.txt'", Entrant("shell", "cmd:sh -c 'echo 2,2 > output.txt'")),
        ("gnu=gtp:gnugo --mode gtp", Entrant("gnu", "gtp:gnugo --mode gtp")),
        ("a/b=c.py", Entrant("a/b=c.py", "a/b=c.py")),
    ],
)
def test_an_entrant_is_read_from_a_word(text: str, entrant: Entrant) -> None:
    assert parse_entrant(text) == entrant


def test_a_file_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a=b.py", "me@home.py", "x:y.py"):
        Path(name).write_text("open('output.txt', 'w').write('2,2')")
        with open_contestant(name) as contestant:
            assert (contestant.name, contestant.reply(OPENING).text) == (name, "2,2")


def test_each_agent_may_have_an_interpreter_and_a_name(tmp_path: Path, python: str) -> None:
    (tmp_path / "player.py").write_text("import sys\nopen('output.txt', 'w').write('%d,%d' % sys.version_info[:2])")
    with open_contestant(f"me={tmp_path / 'player.py'}@{python}") as contestant:
        version = find_interpreter(python).version.split(".")
        assert (contestant.name, contestant.reply(OPENING).text) == ("me", ",".join(version[:2]))


# Directories, commands, compilers


def directory_agent(tmp_path: Path, *names: str) -> Path:
    agent = tmp_path / "agent"
    (agent / "tables").mkdir(parents=True)
    (agent / "tables" / "move.txt").write_text("3,1")
    (agent / "write.py").write_text("def write(text):\n    open('output.txt', 'w').write(text)\n")
    for name in names:
        (agent / name).write_text("from write import write\nwrite(open('tables/move.txt').read())\n")
    return agent


def test_a_directory_is_copied_whole(tmp_path: Path) -> None:
    agent = directory_agent(tmp_path, "my_player3.py", "my_player.py", "host.py")
    (agent / "dangling").symlink_to("nowhere")
    with open_contestant(str(agent)) as contestant:
        assert contestant.reply(OPENING).text == "3,1"
    assert not (agent / "output.txt").exists()


def test_a_directory_may_say_which_file(tmp_path: Path) -> None:
    agent = directory_agent(tmp_path, "alice.py", "bob.py")
    with open_contestant(f"{agent}:bob.py") as contestant:
        assert contestant.reply(OPENING).text == "3,1"
    with pytest.raises(UnknownAgent, match="name the file as DIR:FILE"), open_contestant(str(agent)):
        pass
    with (
        pytest.raises(UnknownAgent, match=r"no .py, .java or .cpp file 'carol.py'"),
        open_contestant(f"{agent}:carol.py"),
    ):
        pass


def test_a_program_in_a_folder_comes_with_the_whole_directory(tmp_path: Path) -> None:
    agent = directory_agent(tmp_path, "my_player3.py")
    (agent / "src").mkdir()
    (agent / "src" / "mine.py").write_text("open('output.txt', 'w').write(open('answer.txt').read())")
    (agent / "answer.txt").write_text("0,3")
    with open_contestant(f"{agent}:src/mine.py") as contestant:
        assert contestant.reply(OPENING).text == "0,3"
    with (
        pytest.raises(UnknownAgent, match=r"no .py, .java or .cpp file"),
        open_contestant(f"{agent}/src:../my_player3.py"),
    ):
        pass


@needs_cpp
def test_a_cpp_file_that_is_named_is_compiled_alone(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    for name, row in (("my_player11.cpp", 0), ("other.cpp", 1)):
        source = f'#include <fstream>\nint main() {{ std::ofstream("output.txt") << "{row},3"; }}\n'
        (tmp_path / "agent" / name).write_text(source)
    with open_contestant(f"{tmp_path / 'agent'}:my_player11.cpp") as contestant:
        assert contestant.reply(OPENING).text == "0,3"


@needs_java
@pytest.mark.long
def test_a_java_file_in_a_folder_plays(tmp_path: Path) -> None:
    (tmp_path / "agent" / "src").mkdir(parents=True)
    write = 'java.nio.file.Files.writeString(java.nio.file.Path.of("output.txt"), "1,3");'
    source = f"class Mine {{ public static void main(String[] a) throws Exception {{ {write} }} }}"
    (tmp_path / "agent" / "src" / "Mine.java").write_text(source)
    with open_contestant(f"{tmp_path / 'agent'}:src/Mine.java") as contestant:
        assert contestant.reply(OPENING).text == "1,3"


def test_a_directory_too_large_is_refused(tmp_path: Path) -> None:
    agent = directory_agent(tmp_path, "my_player3.py")
    with (agent / "large").open("wb") as file:
        file.truncate(1 << 29)
    with pytest.raises(UnknownAgent, match="too large to be copied"), open_contestant(str(agent)):
        pass


def test_a_directory_with_a_fifo_is_refused(tmp_path: Path) -> None:
    agent = directory_agent(tmp_path, "my_player3.py")
    os.mkfifo(agent / "fifo")
    with pytest.raises(UnknownAgent, match="cannot be copied"), open_contestant(str(agent)):
        pass


@pytest.mark.parametrize("leads_to", ["/etc/hostname", "/dev/zero", "../secret", "../agent/write.py", "tables/../.."])
def test_a_link_out_of_the_directory_is_refused(tmp_path: Path, leads_to: str) -> None:
    agent = directory_agent(tmp_path, "my_player3.py")
    (tmp_path / "secret").write_text("the user's")
    (agent / "tables" / "notes.txt").symlink_to(os.path.join("..", leads_to))
    refused = "tables/notes.txt' cannot be copied: it is a link that leaves the agent's directory"
    with pytest.raises(UnknownAgent, match=refused), open_contestant(str(agent)):
        pass


def test_a_book_that_is_a_link_out_of_the_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("the user's")
    agent = directory_agent(tmp_path, "my_player3.py")
    (agent / "book.json").symlink_to("../secret")
    with pytest.raises(UnknownAgent, match="a link that leaves"), open_contestant(str(agent / "my_player3.py")):
        pass


def test_a_link_in_the_directory_is_copied_and_not_followed(tmp_path: Path) -> None:
    agent = directory_agent(tmp_path, "host.py")
    (agent / "my_player3.py").write_text("import os; open('output.txt', 'w').write(os.readlink('copy') + ',1')")
    # If links were followed, two links to their own directory would have no end, and the others would lead to 2 ** 20
    # directories in a depth of 20.
    for name, leads_to in {"a": ".", "b": ".", "copy": "3", "loop": "loop"}.items():
        (agent / name).symlink_to(leads_to)
    with open_contestant(str(agent)) as contestant:
        assert contestant.reply(OPENING).text == "3,1"


def test_a_directory_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("little_go.arena.match.copying.MOST_FILES", 10)
    agent = directory_agent(tmp_path, "my_player3.py")
    for number in range(11):
        (agent / str(number)).touch()
    with pytest.raises(UnknownAgent, match=r"too large to be copied .* 10 files"), open_contestant(str(agent)):
        pass


def test_a_directory_that_is_too_deep_is_refused(tmp_path: Path) -> None:
    agent = directory_agent(tmp_path, "my_player3.py")
    agent.joinpath(*"d" * 33).mkdir(parents=True)
    with pytest.raises(UnknownAgent, match=r"too large to be copied .* 32 deep"), open_contestant(str(agent)):
        pass


@pytest.mark.parametrize("leads_to", ["/dev/zero", "large"])
def test_a_program_that_is_a_device_or_too_large_is_refused(tmp_path: Path, leads_to: str) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(1 << 29)
    (tmp_path / "agent.py").symlink_to(leads_to)
    with pytest.raises(UnknownAgent, match=r"not a plain file|too large"), open_contestant(str(tmp_path / "agent.py")):
        pass


def test_a_command_plays_in_a_directory_of_its_own() -> None:
    with open_contestant("cmd:sh -c 'test -f input.txt && printf 1,2 > output.txt'") as contestant:
        assert contestant.reply(OPENING).text == "1,2"


@pytest.mark.parametrize(
    ("agent", "words"), [("cmd:", "no program ''"), ("cmd:no-such-program", "no program"), ("cmd:'", "cannot read")]
)
def test_a_command_that_is_none_is_refused(agent: str, words: str) -> None:
    with pytest.raises(UnknownAgent, match=words), open_contestant(agent):
        pass


CPP = """
#include "move.h"
int main() { std::ofstream("output.txt") << move(); }
"""

JAVA = """
import java.nio.file.*;
public class my_player {
    public static void main(String[] arguments) throws Exception {
        Files.writeString(Path.of("output.txt"), Helper.MOVE);
    }
}
class Helper { static final String MOVE = "2,1"; }
"""


@pytest.mark.system
@needs_cpp
def test_cpp_is_compiled_with_what_is_beside_it(tmp_path: Path) -> None:
    (tmp_path / "move.h").write_text("#include <fstream>\n#include <string>\nstd::string move();\n")
    (tmp_path / "move.cpp").write_text('#include "move.h"\nstd::string move() { return "1,3"; }\n')
    (tmp_path / "my_player11.cpp").write_text(CPP)
    for _ in range(2):
        with open_contestant(str(tmp_path)) as contestant:
            assert contestant.reply(OPENING).text == "1,3"
    (tmp_path / "move.cpp").write_text('#include "move.h"\nstd::string move() { return "1,4"; }\n')
    with open_contestant(str(tmp_path)) as contestant:
        assert contestant.reply(OPENING).text == "1,4"
    assert not (tmp_path / "exe").exists()


@pytest.mark.parametrize("name", ["@options.cpp", "-wrapper.cpp", "@options.java", "-version.java", "-c.py"])
def test_a_name_that_would_be_an_option_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "options.cpp").write_text("-wrapper /bin/touch,planted")
    (tmp_path / name).touch()
    (tmp_path / f"my_player{Path(name).suffix}").touch()
    agent = str(tmp_path) if name.endswith(".cpp") else f"{tmp_path}:{name}"
    with pytest.raises(UnknownAgent, match=f"'{name}' is not a valid name"), open_entrant(Entrant("me", agent), TERMS):
        pass


@pytest.mark.system
@needs_java
def test_java_is_compiled(tmp_path: Path) -> None:
    (tmp_path / "my_player.java").write_text(JAVA)
    for _ in range(2):
        with open_contestant(str(tmp_path / "my_player.java")) as contestant:
            assert contestant.reply(OPENING).text == "2,1"


@pytest.mark.parametrize(
    ("name", "source", "words"),
    [
        pytest.param("bad.cpp", "int main() { return x; }", "bad.cpp does not compile: .*error.*x", marks=needs_cpp),
        pytest.param("my_player.java", "class my_player { int x = ; }", "does not compile: .*error", marks=needs_java),
        pytest.param("player.java", "class Other { }", "does not compile: .* the file's name", marks=needs_java),
    ],
)
def test_what_does_not_compile_is_refused_in_one_line(tmp_path: Path, name: str, source: str, words: str) -> None:
    (tmp_path / name).write_text(source)
    with pytest.raises(UnknownAgent, match=words) as caught, open_contestant(str(tmp_path / name)):
        pass
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "tool"), [("a.cpp", "g\\+\\+"), ("a.java", "javac")])
def test_a_missing_compiler_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, tool: str) -> None:
    (tmp_path / name).touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    agent = f"{tmp_path / name}@{sys.executable}"
    with pytest.raises(UnknownAgent, match=f"no {tool} found, .*Debian"), open_contestant(agent):
        pass


PROGRAMS = Path(__file__).parents[1] / "agents" / "programs"


@needs_cpp
@needs_java
@pytest.mark.system
def test_a_java_and_a_cpp_agent_play_a_game(tmp_path: Path) -> None:
    for name in ("my_player.java", "my_player.cpp"):
        shutil.copy(PROGRAMS / name, tmp_path)
    sides = ["--black", f"java={tmp_path / 'my_player.java'}", "--white", f"cpp={tmp_path / 'my_player.cpp'}"]
    result = CliRunner().invoke(main, ["play", *sides, "--jsonl", "-"], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    record = json.loads(result.stdout)
    assert (record["moves"][:2], len(record["moves"]), record["reason"]) == (["4,4", "0,0"], 24, "max")


@needs_cpp
@needs_java
@pytest.mark.long
def test_a_directory_a_java_and_a_cpp_agent_play_a_tournament() -> None:
    agents = [
        f"python={PROGRAMS / 'directory'}",
        *(f"{name}={PROGRAMS / f'my_player.{name}'}" for name in ("java", "cpp")),
    ]
    result = CliRunner().invoke(main, ["tournament", *agents, "--games", "1", "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    record = json.loads(result.stdout)
    assert {agent["name"]: (agent["games"], agent["faults"]) for agent in record["agents"]} == {
        "python": (4, {}),
        "java": (4, {}),
        "cpp": (4, {}),
    }


#: Exchange again and again what two pairs of names lead to: a file and a link, and a folder and a link.
EXCHANGE = """
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
pairs = [(b"data", b"other"), (b"folder", b"beside")]
for one, other in pairs:
    if libc.renameat2(-100, one, -100, other, 2):
        sys.exit("none")
print("ready", flush=True)
while True:
    for one, other in pairs:
        libc.renameat2(-100, one, -100, other, 2)
"""


def test_what_is_exchanged_with_a_link_meanwhile_gives_nothing_away(tmp_path: Path) -> None:
    agent, hidden = tmp_path / "agent", tmp_path / "hidden"
    (agent / "folder").mkdir(parents=True)
    hidden.mkdir()
    for place in (hidden / "secret", agent / "mine.py", agent / "data", agent / "folder" / "secret"):
        place.write_text("secret" if hidden in place.parents else "own")
    (agent / "other").symlink_to(hidden / "secret")
    (agent / "beside").symlink_to(hidden)
    exchanging = subprocess.Popen([sys.executable, "-c", EXCHANGE], cwd=agent, stdout=subprocess.PIPE, text=True)
    with open_runner() as runner, exchanging as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline() != "ready\n":
                pytest.skip("this file system exchanges no names")
            for number in range(300):
                copy = tmp_path / str(number)
                copy.mkdir()
                with suppress(ProgramError):
                    lay_out(agent / "mine.py", agent, copy, sys.executable, runner, 0)
                found = [path.read_text() for path in copy.rglob("*") if path.is_file() and not path.is_symlink()]
                assert "secret" not in found, f"copy {number}"
        finally:
            process.kill()
