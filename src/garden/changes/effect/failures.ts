import { Failure, type FailureInit } from "../../../base/failure.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import type { PreparedEffect } from "./effect.ts";

export type RefusedEffect = Extract<PreparedEffect, { kind: "refused" }>;

export const refusedEffect = (
  code: "VALIDATION_FAILED" | "NOT_FOUND" | "FORBIDDEN" | "DUPLICATE_ENTRY" | "CONCURRENT_MODIFICATION",
  init: FailureInit,
): RefusedEffect => ({ kind: "refused", failure: new Failure(code, init) });

/** notes ≤ 5 MB, artifacts ≤ 20 MB, unless the owner set something else. */
export const noteLimit = (config: Pick<GardenConfig, "limits">): number => config.limits.note_bytes ?? 5_000_000;
export const artifactLimit = (config: Pick<GardenConfig, "limits">): number =>
  config.limits.artifact_bytes ?? 20_000_000;

export const effectTooLarge = (what: string, bytes: number, limit: number): RefusedEffect =>
  refusedEffect("VALIDATION_FAILED", {
    en: `${what} has ${bytes} bytes; at most ${limit} are allowed`,
    uk: `${what} має ${bytes} байтів; дозволено щонайбільше ${limit}`,
    hint: { en: "The owner can set `limits` in garden.yaml.", uk: "Власник може змінити `limits` у garden.yaml." },
    details: { bytes, limit },
  });
