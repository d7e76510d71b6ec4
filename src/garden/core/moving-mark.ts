import { z } from "zod";
import { Failure } from "../../base/failure.ts";
import { storeConfig } from "../../domain/config/store-config.ts";

export const MAX_MARK_BYTES = 64 * 1024;

/** `.bloom/moving.json`: the plan of `bloom move`, from before the first object is copied until the last step is done. */
export const movingMark = z.strictObject({ from: storeConfig, to: storeConfig, at: z.iso.datetime() });
export type MovingMark = z.infer<typeof movingMark>;

/** In the bucket that a garden has left. */
export const movedToMark = z.strictObject({ to: z.string(), at: z.iso.datetime() });

export const moveInterrupted = (to: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `this garden is half moved: \`bloom move\` to ${to} was interrupted, or is at work`,
    uk: `цей сад перенесено наполовину: \`bloom move\` до ${to} перервано, або він ще працює`,
    hint: {
      en: `Run \`bloom move --to ${quoted(to)}\` again: it continues where it stopped, and loses nothing.`,
      uk: `Виконайте \`bloom move --to ${quoted(to)}\` ще раз: він продовжить з місця, де спинився, і нічого не втратить.`,
    },
    details: { to },
  });

export const movedAway = ({ to, at }: z.infer<typeof movedToMark>): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the garden of this bucket was moved to ${to} at ${at}`,
    uk: `сад із цього кошика перенесено до ${to} (${at})`,
    hint: {
      en: "Take garden.yaml from the machine that moved it (`git pull`), and start again.",
      uk: "Візьміть garden.yaml з машини, яка його перенесла (`git pull`), і запустіть знову.",
    },
    details: { to, at },
  });

/** For a shell: the address of a bucket has characters that shells expand. */
const quoted = (to: string): string => (to === "dir" ? to : `'${to}'`);
