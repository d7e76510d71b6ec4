import type { Command } from "./command.ts";
import { agent } from "./commands/agent.ts";
import { backup } from "./commands/backup.ts";
import { demo } from "./commands/demo.ts";
import { diagram } from "./commands/diagram.ts";
import { help, version } from "./commands/help-and-version.ts";
import { inbox } from "./commands/inbox.ts";
import { init } from "./commands/init.ts";
import { logic } from "./commands/logic.ts";
import { maintain } from "./commands/maintain.ts";
import { memory } from "./commands/memory.ts";
import { note } from "./commands/note.ts";
import { proposals } from "./commands/proposals.ts";
import { propose } from "./commands/propose.ts";
import { fetch, pull, push } from "./commands/remotes.ts";
import { requests } from "./commands/requests.ts";
import { restore } from "./commands/restore.ts";
import { revert } from "./commands/revert.ts";
import { run } from "./commands/run.ts";
import { runs } from "./commands/runs.ts";
import { status } from "./commands/status.ts";
import { token } from "./commands/token.ts";
import { up } from "./commands/up.ts";
import { upgrade } from "./commands/upgrade.ts";
import { verify } from "./commands/verify.ts";
import { why } from "./commands/why.ts";

/** Every command there is, in the order of the help page. */
export const commands: readonly Command[] = [
  init,
  status,
  up,
  token,
  agent,
  run,
  runs,
  requests,
  logic,
  propose,
  proposals,
  inbox,
  note,
  memory,
  revert,
  why,
  verify,
  diagram,
  backup,
  restore,
  upgrade,
  fetch,
  pull,
  push,
  maintain,
  help,
  version,
  demo,
];
