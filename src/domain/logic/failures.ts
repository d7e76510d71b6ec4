import { Failure } from "../../base/failure.ts";

export const versionsUsedUp = (highest: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the logic of this agent has reached ${highest}, the last possible version`,
    uk: `логіка цього агента дійшла до ${highest}, а на цьому версії закінчуються`,
    hint: {
      en: "Create a new agent with a new name from this one; the old history stays.",
      uk: "Створіть із нього нового агента з новою назвою; стара історія лишиться на місці.",
    },
    details: { highest },
  });

export const metaTooLarge = (bytes: number, most: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `current.meta.json would have ${bytes} bytes; it must stay below ${most}`,
    uk: `current.meta.json мав би ${bytes} байтів; дозволено менше ніж ${most}`,
  });
