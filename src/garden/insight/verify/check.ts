import type { Text } from "../../../base/text.ts";
import type { FoundGarden } from "../../core/garden.ts";
import type { GardenScan } from "./scan.ts";

/** One way in which a garden can be damaged, and how to see it. Later work adds its checks to the list in verify.ts. */
export interface Check {
  readonly id: string;
  /** The rule of the specification that it proves. */
  readonly rule: string;
  readonly title: Text;
  /**
   * Reads only. A part that could not be opened is not this check's to tell, unless it is about just that. What several
   * checks have to read is read once (`survey`).
   */
  run(garden: FoundGarden, survey: GardenScan): AsyncIterable<CheckFinding>;
}

export interface CheckFinding {
  /** Where it is: a path of the garden, a key of the store (`store:…`), a ref, an object id. */
  readonly where: string;
  readonly what: Text;
  /** Puts a view in order that can be made again from the truth. Truth itself is never repaired. */
  readonly repair?: () => Promise<void>;
}

export interface VerifyFinding extends CheckFinding {
  readonly check: string;
  readonly rule: string;
}
