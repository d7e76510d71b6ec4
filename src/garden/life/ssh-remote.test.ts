import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { composePorts } from "../../compose.ts";
import { MAIN_REF } from "../../domain/layout.ts";
import { applyProposal } from "../changes/apply/apply-proposal.ts";
import { approved, note } from "../changes/apply/testing/proposals.ts";
import { closeGarden, openGarden } from "../core/garden.ts";
import { environment, files, git, scratch } from "../testing/scratch.ts";
import { initGarden } from "./init.ts";

/** Stands in for ssh: carries out the command on this machine, or fails with the words of a file. */
const SSH = `#!/bin/sh
[ ! -f "$0.says" ] || { cat "$0.says" >&2; exit 255; }
for last; do :; done
exec sh -c "$last"
`;

const CHANGED = `@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @
Host key verification failed.
fatal: Could not read from remote repository.
`;

test("G-5 a garden whose remote is at an ssh address pushes and follows, and says clearly what ssh refused", async () => {
  const [bare, dir, bin] = [scratch(), join(scratch(), "rose"), scratch()];
  const ssh = join(bin, "ssh");
  writeFileSync(ssh, SSH);
  chmodSync(ssh, 0o755);
  git(bare, "init", "-q", "--bare", "-b", "main");
  files(dir, { "notes/a.md": "# A\n" });
  const remote = `ssh://git@garden.example:2222${bare}`;
  const ports = composePorts({ environment: { ...environment, GIT_SSH_COMMAND: ssh } });
  const made = await initGarden(ports, dir, { language: "en", name: "Rose", remote });
  const garden = await openGarden(ports, dir);
  const { id } = await approved(garden, note("notes/b.md", "# B\n"));
  const applied = await applyProposal(garden, id, "owner");
  const pushed = git(bare, "rev-parse", "main") === (await garden.repo.resolve(MAIN_REF));
  const troubles: (string | undefined)[] = [];
  for (const said of [
    CHANGED,
    "Host key verification failed.\n",
    "git@garden.example: Permission denied (publickey).\nfatal: Could not read from remote repository.\n",
    "ssh: connect to host garden.example port 2222: Connection refused\n",
    "kex_exchange_identification: Connection closed by remote host\nfatal: Could not read from remote repository.\n",
  ]) {
    writeFileSync(`${ssh}.says`, said);
    await garden.repo.refresh().catch(() => undefined);
    troubles.push((await garden.repo.health()).remote?.trouble?.en.split("failed: ")[1]);
  }
  rmSync(`${ssh}.says`);
  await garden.repo.refresh();
  const back = (await garden.repo.health()).remote;
  await closeGarden(garden);
  expect({ made: made.remote?.reachable, applied: applied.status, pushed, troubles, back: back?.reachable }).toEqual({
    made: true,
    applied: "applied",
    pushed: true,
    troubles: [
      "the ssh key of its host has changed",
      "ssh does not know this host yet",
      "it does not accept your name or key",
      "its host cannot be reached",
      "its host cannot be reached",
    ],
    back: true,
  });
});
