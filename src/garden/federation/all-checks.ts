import { asFailure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import { ANNOUNCE_REF, CAPABILITIES_REF, LIBRARY_REF, PEER_REFS } from "../../domain/layout.ts";
import type { Repo } from "../../ports/repo.ts";
import { type Check, type CheckFinding, mainOf } from "../insight/verify/check.ts";
import { checks } from "../insight/verify/verify.ts";
import { grantFindings, ownChainFindings, trackingFindings } from "./chain-findings.ts";
import { libraryFindings } from "./library/library-findings.ts";

function federationCheck(
  id: string,
  title: Text,
  { where, find }: { readonly where: string; readonly find: (repo: Repo) => AsyncIterable<CheckFinding> },
): Check {
  return {
    id,
    rule: "S-10",
    title,
    async *run(garden) {
      const open = await mainOf(garden);
      if (!open) return;
      try {
        yield* find(open.repo);
      } catch (error) {
        yield { where, what: asFailure(error).text };
      }
    },
  };
}

/** The checks of `bloom verify`, in the order of the report: those of the garden alone, then those about other gardens. */
export const allChecks: readonly Check[] = [
  ...checks,
  federationCheck(
    "announcements",
    {
      en: "every announcement of this garden continues its chain and is signed by the key that was valid then",
      uk: "кожне оголошення цього саду продовжує ланцюг і підписане ключем, чинним на той час",
    },
    { where: ANNOUNCE_REF, find: ownChainFindings },
  ),
  federationCheck(
    "grants",
    {
      en: "every file among the grants is a grant, and every followed garden can be read",
      uk: "кожен файл серед дозволів — дозвіл, і кожен сад, за яким стежать, читається",
    },
    { where: CAPABILITIES_REF, find: grantFindings },
  ),
  federationCheck(
    "tracking",
    {
      en: "refs of other gardens are those of their accepted announcements, whose chains are signed by their known keys",
      uk: "посилання інших садів — саме ті, що в їхніх прийнятих оголошеннях, чиї ланцюги підписані відомими ключами",
    },
    { where: PEER_REFS, find: trackingFindings },
  ),
  federationCheck(
    "library",
    {
      en: "every behaviour of the library is whole, signed by its garden, and has the id of its logic",
      uk: "кожна поведінка бібліотеки ціла, підписана своїм садом і має ідентифікатор своєї логіки",
    },
    { where: LIBRARY_REF, find: libraryFindings },
  ),
];
