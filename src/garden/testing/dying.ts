import { armCrashPoints } from "../../base/crash-point.ts";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { composePorts } from "../../compose.ts";
import { readStoreName } from "../../domain/config/store-config.ts";
import { restoreBackup } from "../life/backup/restore.ts";
import { initGarden } from "../life/init.ts";
import { moveStore } from "../life/move-store.ts";
import { type Migration, upgradeGarden } from "../life/upgrade.ts";

/** A child process that runs one verb and kills itself at its n-th crash point, or at the one with this name. Prints every point that it passes. */
const [verb, at, ...args] = process.argv.slice(2) as [string, string, string, string];
let count = 0;
/** The repository's crash points have their own suite; these are the ones between which a garden could be left inconsistent. */
const OF_REPO = [
  "repo.build.built",
  "repo.move.after-swap",
  "repo.follow.after-file-rename",
  "repo.follow.after-index",
];
armCrashPoints((name) => {
  if (name.startsWith("repo.") && !OF_REPO.includes(name)) return;
  process.stdout.write(`${name}\n`);
  if (at === name || count++ === Number(at)) process.kill(process.pid, "SIGKILL");
});
const ground = composePorts(
  {
    environment: {
      PATH: process.env["PATH"],
      HOME: "/nonexistent",
      S3_ACCESS_KEY: process.env["S3_ACCESS_KEY"],
      S3_SECRET_KEY: process.env["S3_SECRET_KEY"],
    },
  },
  fixedWorld("2026-02-14T08:00:00Z", 1000),
);

/** Two made-up steps that touch several files. */
export const madeUp: readonly Migration[] = [
  {
    from: 1,
    what: { en: "two", uk: "два" },
    async migrate(files) {
      files.write("garden.yaml", (await files.read("garden.yaml"))!.replace("version: 1", "version: 2"));
      files.write("logic/format.txt", "2\n");
    },
  },
  {
    from: 2,
    what: { en: "three", uk: "три" },
    async migrate(files) {
      files.write("garden.yaml", (await files.read("garden.yaml"))!.replace("version: 2", "version: 3"));
      files.write("logic/format.txt", `${(await files.read("logic/format.txt"))!}3\n`);
    },
  },
];

const named = verb === "init" && args[1] !== undefined ? readStoreName(args[1]) : undefined;
if (verb === "init") await initGarden(ground, args[0], { language: "en", ...(named && { store: named }) });
if (verb === "restore") await restoreBackup(ground, args[0], args[1]);
if (verb === "upgrade") await upgradeGarden(ground, args[0], madeUp, 3);
if (verb === "move") await moveStore(ground, args[0], readStoreName(args[1])!);
