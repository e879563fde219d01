"""Work on a cluster: the facts are the same as on one machine, even if processes die."""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from little_go.book.files.atlas import read_atlas
from little_go.book.store.facts import Fact, StoreError
from little_go.book.store.store import open_store
from little_go.generator.__main__ import main
from little_go.solver.family import COURSE
from little_go.solver.position import START, Position, parse_moves, play_all
from tests.background import run_inside
from tests.book.positions import make_store
from tools.loopback import Loopback, free_port, is_alive, wait_until

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[3]

GAME = ["--plies", "16", "--depth", "2", "--verdict", "--split-nodes", "20000"]
MEMORY = ["--table", "16MiB"]


def command(folder: Path, address: str, *options: str, name: str = "atlas") -> list[str]:
    store = ["--db", str(folder / "book.db"), "--scheduler", address]
    return [sys.executable, "-m", "little_go.generator", name, *store, *MEMORY, *options]


def run(folder: Path, address: str, *options: str, name: str = "atlas") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command(folder, address, *options, name=name), capture_output=True, text=True, timeout=240)


def atlas(folder: Path, address: str) -> "subprocess.CompletedProcess[str]":
    return run(folder, address, *GAME, "--out", str(folder / "atlas.csv.gz"))


def started(folder: Path, address: str) -> "subprocess.Popen[str]":
    out = ["--out", str(folder / "atlas.csv.gz")]
    return subprocess.Popen(command(folder, address, *GAME, *out), stderr=subprocess.PIPE, text=True)


def winners(folder: Path) -> dict[Position, bool]:
    return {row.position: row.lo >= 3 for row in read_atlas(folder / "atlas.csv.gz")}


def facts(folder: Path) -> int:
    try:
        with open_store(folder / "book.db", game=COURSE) as store:
            return len(store)
    except StoreError:
        return 0


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[Position, bool]:
    """The results of a run with threads on this machine."""
    folder = tmp_path_factory.mktemp("threads")
    atlas = [sys.executable, "-m", "little_go.generator", "atlas", "--db", str(folder / "book.db"), "--table", "64MiB"]
    command = [*atlas, *GAME[:5], "--out", str(folder / "atlas.csv.gz")]
    subprocess.run(command, capture_output=True, timeout=240, check=True)
    return winners(folder)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    """A cluster of which no process is killed."""
    loopback = Loopback(tmp_path_factory.mktemp("cluster"))
    try:
        yield loopback
    finally:
        loopback.close()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Loopback]:
    loopback = Loopback(tmp_path)
    try:
        yield loopback
    finally:
        loopback.close()


def test_a_cluster_finds_what_threads_find(shared: Loopback, tmp_path: Path, undisturbed: object) -> None:
    done = atlas(tmp_path, shared.address)
    assert done.returncode == 0, done.stderr
    assert "ply 10:       97 positions" in done.stderr
    assert winners(tmp_path) == undisturbed
    both = shared.searching()
    assert len(both) == 2
    # A machine has one table, so both workers map the same unnamed file.
    assert len(shared.tables()) == 1
    log = (tmp_path / "book.log").read_text()
    assert "MainThread INFO little_go.generator: run 1 ends: complete" in log
    assert len(set(re.findall(r"(Dask-Default-Threads-\d+)-\d+ DEBUG little_go.generator.workers.worker", log))) == 2


def test_a_closure_on_a_cluster(shared: Loopback, tmp_path: Path) -> None:
    first = ["--plies", "20", "--db", str(tmp_path / "book.db"), "--table", "64MiB"]
    assert run_inside(main, "run", *first).returncode == 0
    asked = ["--plies", "20", "--colour", "white", "--left", "19"]
    closed = run(tmp_path, shared.address, *asked, name="closure")
    assert closed.returncode == 0, closed.stderr
    assert "white, ply  5:" in closed.stderr
    again = run(tmp_path, shared.address, *asked, name="closure")
    assert "white, ply  5:" in again.stderr


@pytest.mark.parametrize(
    "victim",
    ["a worker", *(pytest.param(each, marks=pytest.mark.long) for each in ("all workers", "the scheduler", "the run"))],
)
def test_whoever_is_killed_the_rows_are_the_same(
    cluster: Loopback, tmp_path: Path, victim: str, undisturbed: object
) -> None:
    process = started(tmp_path, cluster.address)
    try:
        wait_until(lambda: facts(tmp_path) > 20)
        if victim == "the run":
            process.kill()
        else:
            cluster.kill(victim)
        _, errors = process.communicate(timeout=240)
    finally:
        process.kill()
    if victim == "the run":
        assert not is_alive(process.pid)
        done = atlas(tmp_path, cluster.address)
        assert done.returncode == 0, done.stderr
    else:
        assert process.returncode == 0, errors
    assert winners(tmp_path) == undisturbed


def test_without_a_scheduler_one_line_tells_what_to_start(tmp_path: Path) -> None:
    done = atlas(tmp_path, f"tcp://127.0.0.1:{free_port()}")
    assert done.returncode == 2
    assert "dask scheduler" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    done = atlas(tmp_path, "nonsense://x")
    assert done.returncode == 2
    assert "is not a scheduler's address" in done.stderr.splitlines()[-1]


def test_workers_that_cannot_be_made_ready_are_refused(shared: Loopback, tmp_path: Path) -> None:
    other = "import little_go.generator.workers.cluster as c; c.fingerprint = lambda: 'other'; "
    other += "import little_go.generator.__main__ as m; m.main()"
    asked = command(tmp_path, shared.address, *GAME)
    for tried, complaint in (
        ([sys.executable, "-c", other, *asked[3:]], "runs another version of Little-Go"),
        ([*asked, "--table", "65536GiB"], "does not fit into the free memory"),
    ):
        done = subprocess.run(tried, capture_output=True, text=True, timeout=240)
        assert done.returncode == 2
        assert complaint in done.stderr.splitlines()[-1]
        assert "Traceback" not in done.stderr


# Workers that send false results


@pytest.fixture
def lying(tmp_path: Path) -> Iterator[Callable[[str, float], Loopback]]:
    """Start a cluster whose second worker sends false results of a kind, for a share of its jobs."""
    clusters = []

    def start(lie: str, share: float) -> Loopback:
        loopback = Loopback(tmp_path, 1)
        clusters.append(loopback)
        loopback.add_worker(lie, share)
        loopback.wait_for_workers()
        return loopback

    yield start
    for each in clusters:
        if is_alive(each.scheduler.pid):
            each.close()


@pytest.mark.parametrize("lie", ["no pickle", "no reading"])
def test_what_cannot_travel_ends_the_run_in_one_line(
    lying: Callable[[str, float], Loopback], tmp_path: Path, lie: str
) -> None:
    done = run(tmp_path, lying(lie, 1.0).address, *GAME)
    assert done.returncode == 2
    assert re.match(
        r"Error: (a worker cannot do its jobs|tcp://\S+ sends results that cannot be read)",
        done.stderr.splitlines()[-1],
    )
    assert "Traceback" not in done.stderr


@pytest.mark.early
@pytest.mark.parametrize(
    "lie", ["a falsehood", *(pytest.param(each, marks=pytest.mark.long) for each in ("no result", "none"))]
)
def test_a_worker_that_lies_is_named_and_all_it_touched_is_taken_back(
    lying: Callable[[str, float], Loopback], shared: Loopback, tmp_path: Path, undisturbed: object, lie: str
) -> None:
    cluster = lying(lie, 0.1)
    done = atlas(tmp_path, cluster.address)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    told = re.fullmatch(r"Error: (tcp://\S+) sent .*book drop --db \S+ --worker (\S+)", done.stderr.splitlines()[-1])
    assert told is not None, done.stderr
    assert told[1] == told[2]
    with open_store(tmp_path / "book.db", game=COURSE) as store:
        found = len(store)
    with closing(sqlite3.connect(tmp_path / "book.db")) as db, db:
        workers = dict(db.execute("SELECT worker, code FROM makers WHERE run = 1 AND host = '127.0.0.1'"))
        own = db.execute("SELECT count(*) FROM positions JOIN makers ON id = maker WHERE worker = ?", (told[1],))
        ((its,),) = own
    dropped = [sys.executable, "-m", "little_go.book", "drop", "--db", str(tmp_path / "book.db"), "--worker", told[1]]
    if told[1] in workers:
        assert len(workers[told[1]]) == 16
        done = subprocess.run(dropped, capture_output=True, text=True, timeout=60)
        assert f"removed {found} positions of run 1 and all later runs; {its} of them" in done.stdout, done.stderr
    cluster.close()
    assert atlas(tmp_path, shared.address).returncode == 0
    assert winners(tmp_path) == undisturbed


def test_a_false_row_of_the_store_is_found_before_the_run_ends(shared: Loopback, tmp_path: Path) -> None:
    played = play_all(START, parse_moves("2,2 1,2 2,1 2,3 3,3 1,3 3,4 1,1 1,0 3,2 3,1 1,4 0,0 4,2"))
    make_store(tmp_path / "book.db", Fact(played, 24, 24))
    done = atlas(tmp_path, shared.address)
    assert done.returncode == 1
    assert "book.db: a row is false, a search refutes +24 or more" in done.stderr.splitlines()[-1]


def test_a_worker_that_nobody_knows_is_not_dropped(tmp_path: Path) -> None:
    with (
        open_store(tmp_path / "book.db", write=True, game=COURSE) as store,
        pytest.raises(StoreError, match="no run had a worker"),
    ):
        store.drop_worker("tcp://192.0.2.1:1")


def test_a_worker_is_not_dropped_under_a_run_and_what_it_sends_afterwards_is_noted_again(
    shared: Loopback, tmp_path: Path, undisturbed: object
) -> None:
    process = started(tmp_path, shared.address)
    try:
        wait_until(lambda: facts(tmp_path) > 20)
        worker = makers(tmp_path)[0][1]
        drop = [sys.executable, "-m", "little_go.book", "drop", "--db", str(tmp_path / "book.db"), "--worker", worker]
        early = subprocess.run(drop, capture_output=True, text=True, timeout=60)
        assert (early.returncode, len(early.stderr.splitlines())) == (2, 1), early.stderr
        assert process.wait(timeout=240) == 0
    finally:
        process.kill()
        process.communicate()
    assert winners(tmp_path) == undisturbed
    late = subprocess.run(drop, capture_output=True, text=True, timeout=60)
    assert "of run 1 and all later runs" in late.stdout, late.stderr
    assert facts(tmp_path) == 0
    # A file that has more rows than the store is not overwritten.
    (tmp_path / "atlas.csv.gz").unlink()
    assert atlas(tmp_path, shared.address).returncode == 0
    assert winners(tmp_path) == undisturbed
    assert (2, worker) in makers(tmp_path)


def makers(folder: Path) -> list[tuple[int, str]]:
    """Return the runs and workers that are recorded in a store."""
    with closing(sqlite3.connect(folder / "book.db")) as db:
        return db.execute("SELECT run, worker FROM makers ORDER BY id").fetchall()


def test_tls_to_a_plain_port_is_one_line(shared: Loopback, tmp_path: Path) -> None:
    done = atlas(tmp_path, shared.address.replace("tcp:", "tls:"))
    assert done.returncode == 2
    assert "TLS" in done.stderr.splitlines()[-1] or "tls" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


@pytest.fixture
def certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Put a certificate into dask's configuration, as in SCALING.md; return the texts that SCALING.md must contain."""
    made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -subj /CN=little-go"
    files = ["-keyout", str(tmp_path / "tls.key"), "-out", str(tmp_path / "tls.crt")]
    subprocess.run([*made.split(), *files], check=True, capture_output=True)
    tls = "DASK_DISTRIBUTED__COMM__TLS__"
    monkeypatch.setenv(f"{tls}CA_FILE", str(tmp_path / "tls.crt"))
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        monkeypatch.setenv(f"{tls}{role}__CERT", str(tmp_path / "tls.crt"))
        monkeypatch.setenv(f"{tls}{role}__KEY", str(tmp_path / "tls.key"))
    return made


@pytest.mark.long
def test_a_cluster_by_tls(
    certificates: str, tmp_path: Path, undisturbed: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert certificates in (ROOT / "docs" / "guides" / "SCALING.md").read_text("utf-8")
    cluster = Loopback(tmp_path, 1, scheme="tls")
    try:
        done = atlas(tmp_path, cluster.address)
        assert done.returncode == 0, done.stderr
        assert winners(tmp_path) == undisturbed
        assert "tls://127.0.0.1" in cluster.said("worker0")
        # A certificate that is not signed here gives no access, and the run prints one line.
        other = ["-keyout", str(tmp_path / "other.key"), "-out", str(tmp_path / "other.crt")]
        subprocess.run([*certificates.split(), *other], check=True, capture_output=True)
        with monkeypatch.context() as mine:
            for name, file in (("CA_FILE", "crt"), ("CLIENT__CERT", "crt"), ("CLIENT__KEY", "key")):
                mine.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{name}", str(tmp_path / f"other.{file}"))
            done = atlas(tmp_path, cluster.address)
            assert done.returncode == 2
            assert "certificates" in done.stderr.splitlines()[-1]
            assert "Traceback" not in done.stderr
        # A client without a certificate gets no access.
        for name in ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY"):
            monkeypatch.delenv(f"DASK_DISTRIBUTED__COMM__TLS__{name}")
        for address in (cluster.address, cluster.address.replace("tls:", "tcp:")):
            done = atlas(tmp_path, address)
            assert done.returncode == 2
            assert "Traceback" not in done.stderr
    finally:
        cluster.close()
