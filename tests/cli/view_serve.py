# SPDX-License-Identifier: MIT
"""bspkit view --serve: the page that view writes, at one address of the loopback and with strict headers; another
page after the map was compiled again, the same one after a compile that failed; requests that are wrong, slow, many
or too long are refused, and the server goes on."""
import ctypes
import http.client
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

BSPKIT = os.environ["BSPKIT"]
SAMPLES = pathlib.Path("samples").resolve()
MARK = "<!--bspkit-files-->"
POLICY = "default-src 'none'; script-src 'sha256-abc='"
PAGE = (f'<!doctype html><meta http-equiv="Content-Security-Policy" content="{POLICY}">\n<p>before</p>\n', "\n<p>after</p>")
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/\n")
WINE = bool(os.environ.get("WINDOWS"))


class Server:
    def __init__(self, *words):
        self.process = subprocess.Popen([BSPKIT, "view", "--serve", *map(str, words)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = ADDRESS.fullmatch(line)
        assert found, (line, self.process.stderr.read())
        self.port, self.token = int(found[1]), found[2]

    def get(self, name="", method="GET", target=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, target or f"/{self.token}/{name}", headers=headers or {})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body.decode()

    def raw(self, data, end=True):
        """What comes back for bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            out = b""
            try:
                connection.sendall(data)
                if end:
                    connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # the server need not read all
            try:
                while some := connection.recv(65536):
                    out += some
            except OSError:
                pass
        return out.split(b"\r\n", 1)[0]

    def state(self):
        number, problem = self.get("state")[2].split("\n")
        return int(number), problem

    def wait(self, what):
        for _ in range(600):
            if what(*self.state()):
                return
            time.sleep(0.05)
        raise AssertionError((self.state(), "never came"))

    def end(self):
        self.process.send_signal(signal.SIGINT)
        out, error = self.process.communicate(timeout=60)
        assert WINE or self.process.returncode == -signal.SIGINT, (self.process.returncode, error)
        assert out == "", out
        return error


def check_answers(server, folder):
    """The page is what view writes, with one element more, and the headers are strict."""
    status, headers, body = server.get()
    assert status == 200
    subprocess.run([BSPKIT, "view", "--page", folder / "page.html", folder / "map.bsp", "-o", folder / "own.html"],
                   check=True)
    element = '<script type="text/plain" data-reload="state">1</script>\n'
    assert body.count(element) == 1
    assert body.replace(element, "") == (folder / "own.html").read_text()
    for name in ("", "state"):
        _, headers, _ = server.get(name)
        assert headers["Content-Security-Policy"] == POLICY + "; frame-ancestors 'none'"
        for key, value in (("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
                           ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
                           ("Cross-Origin-Opener-Policy", "same-origin"),
                           ("Cross-Origin-Resource-Policy", "same-origin"), ("Connection", "close")):
            assert headers.get_all(key) == [value], (key, headers)
        assert "Access-Control-Allow-Origin" not in headers
    assert headers["Content-Type"] == "text/plain; charset=utf-8"
    status, headers, empty = server.get(method="HEAD")
    assert (status, empty, int(headers["Content-Length"])) == (200, "", len(body.encode()))
    assert server.state() == (1, "")


def check_refusals(server):
    token, own = server.token, {"Host": f"127.0.0.1:{server.port}"}
    wrong = token[:-1] + ("0" if token[-1] != "0" else "1")
    for target in ("/", f"/{token}", f"/{wrong}/", f"/{wrong}/state", f"/{token}/map.bsp", f"/{token}//", f"/{token}/./",
                   f"/{token}/../{token}/", f"/{token}/%2e%2e/", f"/{token}/state?", f"/{token}/../../../etc/passwd",
                   f"/{token.upper()}x/", "//", "/favicon.ico", f"/{token}/state%00", f"/{token}/\\..\\map.bsp"):
        status, headers, body = server.get(target=target)
        assert (status, body) == (404, "Not Found\n"), (target, status, body)
        assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "get", "PROPFIND"):
        status, headers, _ = server.get(method=method)
        assert (status, headers["Allow"]) == (405, "GET, HEAD"), method
    # A name of another site that stands for this machine.
    for host in ("example.org", f"example.org:{server.port}", "127.0.0.1", f"127.0.0.1:{server.port + 1}",
                 f"127.0.0.1:{server.port}.example.org"):
        assert server.get(headers={"Host": host})[0] == 421, host
    assert server.get(headers={"Host": f"localhost:{server.port}"})[0] == 200
    assert server.get(headers=own)[0] == 200


def check_garbage(server):
    get, host = f"GET /{server.token}/state HTTP/1.1\r\n".encode(), f"Host: 127.0.0.1:{server.port}\r\n".encode()
    assert server.raw(get + host + b"\r\n") == b"HTTP/1.1 200 OK"
    assert server.raw(get + host + b"\r\n" + get + host + b"\r\n") == b"HTTP/1.1 200 OK"  # one each
    bad = (b"\r\n\r\n", b"\n\n", b"GET\r\n\r\n", get + b"\r\n", get + host + host + b"\r\n", get[:-2] + b"\n" + host + b"\r\n",
           get + b" folded\r\n" + host + b"\r\n", get + b"Host : x\r\n\r\n", get + b"\x00: y\r\n\r\n", get + host + b"a: \x01\r\n\r\n",
           get.replace(b" /", b" ") + host + b"\r\n", get.replace(b" /", b"  /") + host + b"\r\n",
           get.replace(b" /", b" http://127.0.0.1/") + host + b"\r\n", get.replace(b"HTTP/1.1", b"HTTP/1.10") + host + b"\r\n",
           get.replace(b"HTTP/1.1", b"http/1.1") + host + b"\r\n", b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", bytes(range(256)) + b"\r\n\r\n",
           get + b": empty\r\n\r\n", get + b"none\r\n\r\n")
    for data in bad:
        assert server.raw(data) == b"HTTP/1.1 400 Bad Request", data
    assert server.raw(get.replace(b"HTTP/1.1", b"HTTP/2.0") + host + b"\r\n") == b"HTTP/1.1 505 HTTP Version Not Supported"
    assert server.raw(get.replace(b"HTTP/1.1", b"HTTP/1.0") + host + b"\r\n") == b"HTTP/1.1 200 OK"
    for data in (b"A" * 100000, b"GET /" + b"a" * 100000, get + host + b"x: y\r\n" * 10000, get + b"x: " + b"y" * 20000):
        assert server.raw(data) in (b"HTTP/1.1 431 Request Header Fields Too Large", b""), data[:20]
        assert server.raw(data[:20000]) == b"HTTP/1.1 431 Request Header Fields Too Large", data[:20]
    assert server.raw(b"") == b"" and server.raw(get[:10]) == b""
    # A body is not read as a request.
    body = get + host + b"Content-Length: 100\r\n\r\n" + get
    assert server.raw(body) == b"HTTP/1.1 200 OK"


def check_many(server):
    """Connections that send nothing, or little, keep nobody out; nor do readers that do not read."""
    idle = [socket.create_connection(("127.0.0.1", server.port), timeout=60) for _ in range(40)]
    for number, connection in enumerate(idle):
        try:
            connection.send(b"GET /"[:number % 6])
        except OSError:
            pass
        if number % 10 == 9:
            assert server.get("state")[0] == 200
    for connection in idle:
        connection.close()
    found = []
    threads = [threading.Thread(target=lambda: found.append(server.get("state")[0])) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [200] * 6
    assert server.state() == (1, "")


def check_reload(server, folder):
    """Another file in the place of the map, one that is written over, one that is none, and none at all."""
    path = folder / "map.bsp"
    first = server.get()[2]
    shutil.copy(SAMPLES / "quake2/lobby.bsp", folder / "new")
    os.replace(folder / "new", path)
    server.wait(lambda number, problem: number == 2 and problem == "")
    second = server.get()[2]
    assert second != first and 'data-reload="state">2<' in second
    path.write_bytes(b"not finished")
    server.wait(lambda number, problem: number == 3 and "not a BSP" in problem)
    assert server.get()[2] == second
    path.unlink()
    assert server.get()[2] == second
    with open(path, "wb") as out:
        data = (SAMPLES / "quake/lobby.bsp").read_bytes()
        out.write(data[:1000])
        out.flush()
        out.write(data[1000:])
    server.wait(lambda number, problem: number >= 4 and problem == "")
    number = server.state()[0]
    page = server.get()[2]
    assert page.replace(f'"state">{number}<', '"state">1<') == first
    time.sleep(0.6)
    assert server.state() == (number, "")


def check_confined(server, folder):
    """The map may be another file of its folder, but none elsewhere: a map by that name is not read."""
    if WINE or not sys.platform.startswith("linux") or "-fsanitize" in os.environ.get("TEST_FLAGS", "") or \
            ctypes.CDLL(None, use_errno=True).syscall(444, None, ctypes.c_size_t(0), 1) < 1:
        return
    with tempfile.TemporaryDirectory() as elsewhere:
        shutil.copy(SAMPLES / "quake3/lobby.bsp", elsewhere)
        number, before = server.state()[0], server.get()[2]
        (folder / "map.bsp").unlink()
        (folder / "map.bsp").symlink_to(f"{elsewhere}/lobby.bsp")
        server.wait(lambda now, problem: now > number and "permission" in problem)
        assert server.get()[2] == before


def main():
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "page.html").write_text(MARK.join(PAGE))
        path = folder / "map.bsp"
        shutil.copy(SAMPLES / "quake/lobby.bsp", path)
        server = Server("--page", folder / "page.html", path)
        try:
            check_answers(server, folder)
            check_refusals(server)
            check_garbage(server)
            check_many(server)
            other = Server("--page", folder / "page.html", path)
            assert other.port != server.port and other.token != server.token
            other.end()
            check_reload(server, folder)
            check_confined(server, folder)
            error = server.end()
        finally:
            server.process.kill()
        assert "compiled again: this is page 2" in error and "not a BSP" in error, error
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", server.port)) != 0
        for words, status in ((("--serve", folder / "none.bsp"), 3), (("--serve", "-"), 2),
                              (("--serve", path, "-o", folder / "x.html"), 2)):
            done = subprocess.run([BSPKIT, "view", "--page", folder / "page.html", *words], capture_output=True,
                                  check=False, stdin=subprocess.DEVNULL, timeout=60)
            assert done.returncode == status and done.stdout == b"" and done.stderr.count(b"\n") == 1, (words, done)


if __name__ == "__main__":
    main()
