"""The servers that ours is compared with: nginx for files and bodies, thumbor for images."""

import os
import shutil
import subprocess
import sys

import machine
from media_server import ROOT
from report import Missing

THUMBOR = os.path.join(ROOT, ".build-bench", "thumbor", "bin", "python")

# The best that nginx does with a file: descriptors kept open, no log, sendfile, connections kept for ever.
COMMON = """
daemon off; worker_processes 1; pid %(folder)s/nginx.pid; error_log %(folder)s/error.log; %(modules)s
events { worker_connections 4096; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; types { image/webp webp; image/jpeg jpg; }
  open_file_cache max=1000; client_max_body_size 0; client_body_temp_path %(folder)s/bodies; %(rest)s
}
"""
STATIC = "server { listen 127.0.0.1:%(port)d; root %(folder)s/files; }"

# A body is written to a file by nginx, as its dav module does, but synced like what the service acknowledges: the file before its name, then
# the folder. nginx has no fsync, so LuaJIT calls that of libc.
UPLOADS = """
init_by_lua_block {
  ffi = require "ffi"
  ffi.cdef "int open(const char *, int, ...); int fsync(int); int close(int);"
  function sync(path)
    local file = ffi.C.open(path, 0)
    local failed = file < 0 or ffi.C.fsync(file) ~= 0
    if file >= 0 then ffi.C.close(file) end
    if failed then error("fsync of " .. path) end
  end
}
server {
  listen 127.0.0.1:%(port)d;
  location / {
    client_body_in_file_only on; client_body_buffer_size 256k;
    content_by_lua_block {
      ngx.req.read_body()
      local part = ngx.req.get_body_file()
      sync(part)
      assert(os.rename(part, "%(folder)s/files/" .. ngx.var.request_id))
      sync("%(folder)s/files")
      ngx.status = 201
      ngx.header["Content-Length"] = 0
    }
  }
}
"""


class Nginx:
    """nginx with one worker, on the core of servers."""

    def __init__(self, folder, site, modules=""):
        if not shutil.which("nginx"):
            raise Missing("nginx is not installed: apt-get install nginx")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(os.path.join(folder, "files"))
        # Its worker runs as nobody when nginx is started by root.
        for path in (folder, os.path.join(folder, "files")):
            os.chmod(path, 0o777)
        self.folder, self.port = folder, machine.free_port()
        values = {"folder": folder, "port": self.port, "modules": modules}
        config = os.path.join(folder, "nginx.conf")
        with open(config, "w") as file:
            file.write(COMMON % dict(values, rest=site % values))
        user = ["-g", "user root;"] if os.geteuid() == 0 else []
        self.process = machine.start_server(["nginx", "-p", folder, "-c", config, "-e", folder + "/error.log"] + user)
        machine.wait_for_port(self.port, self.process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        machine.stop(self.process)

    @property
    def pid(self):
        return self.process.pid


def nginx_for_files(folder):
    return Nginx(folder, STATIC)


def nginx_for_uploads(folder):
    modules = ["/usr/lib/nginx/modules/%s.so" % name for name in ("ndk_http_module", "ngx_http_lua_module")]
    if not all(map(os.path.exists, modules)):
        raise Missing("nginx cannot sync what it writes without libnginx-mod-http-lua: apt-get install libnginx-mod-http-lua")
    return Nginx(folder, UPLOADS, "".join("load_module %s; " % one for one in modules))


class Thumbor:
    """thumbor 7.8 with one process on the core of servers: files from a folder, nothing stored, any size, JPEG as ours."""

    SETTINGS = """
LOADER = "thumbor.loaders.file_loader"
FILE_LOADER_ROOT_PATH = %(root)r
STORAGE = "thumbor.storages.no_storage"
RESULT_STORAGE = None
ALLOW_UNSAFE_URL = True
AUTO_WEBP = False
QUALITY = %(quality)d
DETECTORS = []
MAX_SOURCE_SIZE = 0
"""

    def __init__(self, folder, root, quality):
        if not os.path.exists(THUMBOR):
            subprocess.run([sys.executable, "-m", "venv", os.path.dirname(os.path.dirname(THUMBOR))], check=True)
            subprocess.run([THUMBOR, "-m", "pip", "install", "--quiet", "thumbor==7.8.0"], check=True)
        os.makedirs(folder, exist_ok=True)
        config = os.path.join(folder, "thumbor.conf")
        with open(config, "w") as file:
            file.write(self.SETTINGS % {"root": root, "quality": quality})
        self.port = machine.free_port()
        self.log = open(os.path.join(folder, "thumbor.log"), "ab")
        self.process = machine.start_server(
            [THUMBOR, "-m", "thumbor.server", "-c", config, "-i", "127.0.0.1", "-p", str(self.port), "-l", "error"],
            stdout=self.log, stderr=self.log,
        )
        machine.wait_for_port(self.port, self.process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        machine.stop(self.process)
        self.log.close()

    @property
    def pid(self):
        return self.process.pid
