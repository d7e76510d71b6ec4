import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP connection between one process of a cluster and a server, which a test can interrupt. */
export interface Link {
  readonly port: number;
  /** Closes every connection and refuses new ones. */
  cut(): void;
  /** Holds every byte back, in both directions, as a network does that drops packets. They arrive after `heal`. */
  hush(): void;
  heal(): void;
  close(): Promise<void>;
}

export async function openLink(targetPort: number): Promise<Link> {
  let state: "open" | "cut" | "silent" = "open";
  const sockets = new Set<Socket>();
  /** Connections that began while the link was silent. */
  const late = new Set<Socket>();
  const join = (near: Socket): void => {
    const far = connect(targetPort, "127.0.0.1");
    sockets.add(far);
    const end = (): void => {
      for (const each of [near, far]) {
        each.destroy();
        sockets.delete(each);
      }
    };
    for (const each of [near, far]) each.on("error", end).on("close", end);
    near.pipe(far);
    far.pipe(near);
    if (state === "silent") for (const each of [near, far]) each.pause();
  };
  const server = createServer((near) => {
    if (state === "cut") return void near.destroy();
    sockets.add(near);
    near.on("error", () => near.destroy()).on("close", () => sockets.delete(near));
    if (state === "silent") late.add(near);
    else join(near);
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const dropAll = (): void => {
    for (const each of sockets) each.destroy();
    sockets.clear();
    late.clear();
  };
  return {
    port,
    cut() {
      state = "cut";
      dropAll();
    },
    hush() {
      state = "silent";
      for (const each of sockets) each.pause();
    },
    heal() {
      state = "open";
      for (const each of sockets) each.resume();
      for (const each of late) if (!each.destroyed) join(each);
      late.clear();
    },
    async close() {
      dropAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
