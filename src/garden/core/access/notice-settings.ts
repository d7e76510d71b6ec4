import { blobId } from "../../../base/canonical.ts";
import { tree } from "../../../domain/layout.ts";
import { recordAudit } from "../audit.ts";
import type { Garden } from "../garden.ts";
import { changedSettings } from "../live-settings.ts";

/** The settings and the refused file that the last look found, by garden. */
const known = new WeakMap<
  Garden["settings"],
  { readonly config: Garden["config"]; readonly bad: string | undefined; readonly told: boolean }
>();

/**
 * Takes a changed `garden.yaml` into force and audits it. A file that is refused is audited too and thrown, once, when two looks
 * found the same bytes: an editor may be writing it. The settings from before stay in force.
 */
export async function noticeSettings(garden: Garden): Promise<void> {
  const { settings, world } = garden;
  const before = known.get(settings);
  await settings.reload();
  const { current: config, trouble, seen } = settings;
  const bad = trouble && `${blobId(seen ?? new Uint8Array())} ${trouble.code}`;
  const isTold = before?.told === true && before.bad === bad;
  const tells = bad !== undefined && before?.bad === bad && !isTold;
  known.set(settings, { config, bad, told: isTold || tells });
  const at = new Date(world.now()).toISOString();
  if (before && before.config !== config)
    await recordAudit(garden, `settings-loaded-${blobId(Buffer.from(JSON.stringify(config))).slice(0, 16)}`, {
      kind: "settings-loaded",
      at,
      by: "gateway",
      subject: tree.config,
      details: { keys: changedSettings(before.config, config) },
    });
  if (!tells) return;
  await recordAudit(garden, `settings-refused-${bad.slice(0, 16)}`, {
    kind: "settings-refused",
    at,
    by: "gateway",
    subject: tree.config,
    why: trouble!.text.en,
    details: {},
  });
  throw trouble!;
}
