import { parentPort, workerData } from "node:worker_threads";
import { assert } from "../../../base/assert.ts";
import { type MakerRequest, makeFromLog, syncMany } from "./file-maker.ts";
import { type FilesPlaceNames, filesPlace } from "./make-files.ts";

/** The worker thread of `threadedMaker`: one answer per request, in order. */
assert(parentPort, "this file is the entry of a worker thread");
const port = parentPort;
const place = filesPlace(workerData as FilesPlaceNames);

port.on("message", (request: MakerRequest) => {
  try {
    const result = "make" in request ? makeFromLog(place, request.make) : syncMany(place, request.sync);
    port.postMessage({ result });
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    port.postMessage({ error: { message, code } }); // a cloned Error would lose its code
  }
});
