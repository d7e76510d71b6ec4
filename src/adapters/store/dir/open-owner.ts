import { dirname, join } from "node:path";
import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { World } from "../../../base/world.ts";
import { Checkpoints, type Pace } from "./checkpoints.ts";
import { type FileMaker, inlineMaker } from "./file-maker.ts";
import { Log } from "./log.ts";
import { type LogRecord, MAGIC, scanLog } from "./log-record.ts";
import type { FilesPlace } from "./make-files.ts";
import { OwnerStore } from "./owner-store.ts";

/**
 * Opens the store; the caller holds its lock. Makes files from what a crash left in the log, syncs them and empties the log.
 * Idempotent: after a crash during opening the next one starts over. It also opens on a full disk.
 */
export function openOwner(
  place: FilesPlace,
  logFolder: string,
  maker: FileMaker,
  pace: Pace,
  world: Pick<World, "now">,
): OwnerStore {
  const { disk } = place;
  for (const folder of [place.root, place.temporary, logFolder]) {
    disk.makeFolder(folder);
    disk.sync(dirname(folder)); // or a power cut may lose the folder with the log
  }
  for (const { name } of disk.names(place.temporary) ?? []) disk.remove(join(place.temporary, name));
  const remarks: Text[] = [];
  const names = logNames(place, logFolder);
  const records: LogRecord[] = [];
  for (const name of names) {
    const { bytes, ...read } = readLog(place, logFolder, name);
    if (read.remark) {
      keepDamaged(place, bytes, name);
      remarks.push(read.remark);
    }
    records.push(...read.records);
  }
  if (records.length > 0) remarks.push(recovered(records.length));
  const lastNumber = Number(names.at(-1)?.slice(0, -".log".length) ?? 0);
  const log = new Log(disk, logFolder, lastNumber, records.at(-1)?.seq ?? 0);
  const left = { records, logs: names.map((name) => join(logFolder, name)) };
  const checkpoints = new Checkpoints(place, log, maker, pace, left);
  checkpoints.onHandEdit((key, kept) => {
    remarks.push(kept === "edit" ? keptEdit(key) : movedAside(key));
    if (remarks.length > MAX_REMARKS) remarks.shift();
  });
  const store = new OwnerStore(place, log, checkpoints, remarks, world);
  if (checkpoints.recover()) return store;
  store.hold(records); // no space for files: reads come from memory, and the files are made later
  return store;
}

/**
 * Opens the store for reading only: takes no lock, writes nothing, and serves the records of the log from memory. For folders that
 * cannot be written; the methods that write must not be called.
 */
export function openForReading(
  place: FilesPlace,
  logFolder: string,
  pace: Pace,
  world: Pick<World, "now">,
): OwnerStore {
  const read = logNames(place, logFolder).map((name) => readLog(place, logFolder, name));
  const records = read.flatMap((each) => each.records);
  const log = new Log(place.disk, logFolder, 0, records.at(-1)?.seq ?? 0);
  const checkpoints = new Checkpoints(place, log, inlineMaker(place), pace, { records: [], logs: [] });
  const remarks = [readOnly, ...read.flatMap(({ remark }) => remark ?? [])];
  const store = new OwnerStore(place, log, checkpoints, remarks, world);
  store.hold(records);
  return store;
}

const logNames = ({ disk }: FilesPlace, folder: string): string[] =>
  (disk.names(folder) ?? [])
    .map(({ name }) => name)
    .filter((name) => LOG_NAME.test(name))
    .toSorted();

const MAX_REMARKS = 100;
const LOG_NAME = /^\d{8}\.log$/;

interface LogRead {
  readonly bytes: Buffer;
  readonly records: readonly LogRecord[];
  /** Set if the log is damaged. */
  readonly remark?: Text;
}

function readLog(place: FilesPlace, folder: string, name: string): LogRead {
  const bytes = place.disk.read(join(folder, name)) ?? Buffer.alloc(0);
  const beginning = bytes.subarray(0, MAGIC.length);
  // Created, with nothing answered.
  if (bytes.length < MAGIC.length || beginning.every((byte) => byte === 0)) return { bytes, records: [] };
  if (!beginning.equals(MAGIC)) {
    if (beginning.toString("latin1").startsWith("bloom-log ")) throw newerLog();
    return { bytes, records: [], remark: unreadableLog(name) };
  }
  const { records, lost } = scanLog(bytes);
  return { bytes, records, ...(lost > 0 && { remark: damagedLog(name, lost) }) };
}

/** Keeps a copy of a damaged log: it may hold the only trace of a write. */
function keepDamaged(place: FilesPlace, bytes: Buffer, name: string): void {
  place.disk.makeFolder(place.setAside);
  let target = join(place.setAside, name);
  for (let i = 1; place.disk.kind(target) !== undefined; i++) {
    if (place.disk.read(target)?.equals(bytes)) return; // already kept
    target = join(place.setAside, `${name}.${i}`);
  }
  place.disk.write(target, bytes);
  place.disk.sync(target);
  place.disk.sync(place.setAside);
}

const newerLog = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "this garden's store was last written by a newer bloom",
    uk: "сховище цього саду востаннє записане новішою версією bloom",
    hint: { en: "Update bloom and try again.", uk: "Оновіть bloom і повторіть." },
  });

const readOnly: Text = {
  en: "this garden is read-only: it was opened without a lock, and nothing can be changed",
  uk: "цей сад лише для читання: його відкрито без замка, змінити нічого не можна",
};
const recovered = (count: number): Text => ({
  en: `the last owner ended without closing; answered writes taken from the log: ${count}`,
  uk: `попередній власник завершився, не закривши сховище; з журналу взято підтверджених записів: ${count}`,
});
const keptEdit = (key: string): Text => ({
  en: `${key} was edited by hand after its last write; the edit was kept`,
  uk: `${key} змінено вручну після останнього запису; правку збережено`,
});
const movedAside = (key: string): Text => ({
  en: `the file at ${key} was not written by bloom; it was moved to .bloom/set-aside`,
  uk: `${key} мав інший вміст, ніж було записано; той вміст перенесено до .bloom/set-aside`,
});
const unreadableLog = (name: string): Text => ({
  en: `the log ${name} cannot be read; it was kept in .bloom/set-aside`,
  uk: `журнал ${name} не читається; його збережено у .bloom/set-aside`,
});
const damagedLog = (name: string, lost: number): Text => ({
  en: `the log ${name} is damaged: ${lost} answered writes cannot be read; it was kept in .bloom/set-aside`,
  uk: `журнал ${name} пошкоджено: не читаються підтверджені записи (${lost}); його збережено у .bloom/set-aside`,
});
