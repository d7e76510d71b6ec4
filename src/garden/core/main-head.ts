import { Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { MAIN_REF } from "../../domain/layout.ts";
import type { Repo } from "../../ports/repo.ts";
import type { RepoHealth } from "../../ports/repo-health.ts";

const NO_MAIN: Text = { en: "the garden has no main branch", uk: "у саду немає гілки main" };

/** The health of git for this garden: without main nothing can be read or applied. Also tells what keeps changes from main. */
export async function gitHealth(repo: Pick<Repo, "resolve" | "health" | "busy">): Promise<RepoHealth> {
  const health = await repo.health();
  if ((await repo.resolve(MAIN_REF)) === undefined)
    return { ...health, ok: false, remarks: [NO_MAIN, ...health.remarks] };
  const busy = await repo.busy(MAIN_REF);
  return busy ? { ...health, remarks: [...health.remarks, approvedWait(busy)] } : health;
}

const approvedWait = (busy: Text): Text => ({
  en: `approved changes wait: ${busy.en}`,
  uk: `схвалені зміни чекають: ${busy.uk}`,
});

/** The commit that main points to. Throws UPSTREAM_UNAVAILABLE without a main branch: every call succeeds again once it is back. */
export async function headOf(repo: Pick<Repo, "resolve">): Promise<Oid> {
  const head = await repo.resolve(MAIN_REF);
  if (head !== undefined) return head;
  throw new Failure("UPSTREAM_UNAVAILABLE", {
    ...NO_MAIN,
    hint: { en: "`bloom verify` says more.", uk: "Докладніше — `bloom verify`." },
    details: { part: "git" },
  });
}
