import { Failure } from "../../base/failure.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { MAIN_REF } from "../../domain/layout.ts";
import type { Repo } from "../../ports/repo.ts";

/** The commit that main points to. Throws UPSTREAM_UNAVAILABLE without a main branch: every call succeeds again once it is back. */
export async function headOf(repo: Pick<Repo, "resolve">): Promise<Oid> {
  const head = await repo.resolve(MAIN_REF);
  if (head !== undefined) return head;
  throw new Failure("UPSTREAM_UNAVAILABLE", {
    en: "the garden has no main branch",
    uk: "у саду немає гілки main",
    hint: { en: "`bloom verify` says more.", uk: "Докладніше — `bloom verify`." },
    details: { part: "git" },
  });
}
