/**
 * Loaded into the processes of a cluster before the program (`--import`): connections to a port of 127.0.0.1 go to another one.
 * `BLOOM_REWIRED` is `from=to,from=to`. garden.yaml names one address for all machines; so each process gets a link of its own.
 */
import { Socket } from "node:net";

const ports = new Map(
  (process.env.BLOOM_REWIRED ?? "")
    .split(",")
    .filter(Boolean)
    .map((pair) => pair.split("=").map(Number)),
);
// eslint-disable-next-line typescript/unbound-method -- it is called with its socket below
const { connect } = Socket.prototype;

Socket.prototype.connect = function connectElsewhere(...given) {
  // `net.connect` passes its normalized arguments as one array. The options are copied: the caller keeps its sockets by their port.
  const args = Array.isArray(given[0]) ? given[0] : given;
  const to = typeof args[0] === "object" && args[0] !== null ? ports.get(Number(args[0].port)) : undefined;
  if (to !== undefined) args[0] = { ...args[0], port: to };
  return connect.apply(this, given);
};
