import { MAIN_REF, memoryPath } from "../../../domain/layout.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";

const MARK = /^[ \t>*_`-]*logic_issue[*_`]*[ \t]*:[ \t]*true\b/im;

/** Source 000 §2.2: true if the report about this run says `logic_issue: true`. */
export async function hasLogicIssue({ repo }: Garden, { slug, run }: RunPlace): Promise<boolean> {
  const head = await repo.resolve(MAIN_REF);
  const report = head === undefined ? undefined : await repo.read(head, memoryPath.run(slug, run));
  return report !== undefined && MARK.test(Buffer.from(report.bytes).toString());
}
