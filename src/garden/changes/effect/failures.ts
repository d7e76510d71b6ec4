import { Failure, type FailureExtras } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import type { Prepared } from "./effect.ts";

export type Refused = Extract<Prepared, { kind: "refused" }>;

export const refused = (
  code: "VALIDATION_FAILED" | "NOT_FOUND" | "FORBIDDEN" | "DUPLICATE_ENTRY" | "CONCURRENT_MODIFICATION",
  text: Text,
  extras: FailureExtras = {},
): Refused => ({ kind: "refused", failure: new Failure(code, text, extras) });

/** notes ≤ 5 MB, artifacts ≤ 20 MB, unless the owner set something else. */
export const noteLimit = (config: Pick<GardenConfig, "limits">): number => config.limits.note_bytes ?? 5_000_000;
export const artifactLimit = (config: Pick<GardenConfig, "limits">): number =>
  config.limits.artifact_bytes ?? 20_000_000;

export const tooLarge = (what: string, bytes: number, limit: number): Refused =>
  refused(
    "VALIDATION_FAILED",
    {
      en: `${what} has ${bytes} bytes; at most ${limit} are allowed`,
      uk: `${what} має ${bytes} байтів; дозволено щонайбільше ${limit}`,
    },
    {
      hint: {
        en: "The owner can set `limits` in garden.yaml.",
        uk: "Власник може змінити `limits` у garden.yaml.",
      },
      details: { bytes, limit },
    },
  );
