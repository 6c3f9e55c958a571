using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "workerd.js", esModule = embed "dist/workerd.js"),
    (name = "bundle.js", esModule = embed "dist/bundle.js"),
  ],
  compatibilityDate = "2026-11-01",
  compatibilityFlags = ["enable_request_signal"],
);
