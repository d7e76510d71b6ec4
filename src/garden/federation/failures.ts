import { Failure } from "../../base/failure.ts";

export const noSuchPeer = (name: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `this garden follows no garden named ${JSON.stringify(name)}`,
    uk: `цей сад не стежить за садом на ім'я ${JSON.stringify(name)}`,
    hint: { en: "`bloom peer list` names them", uk: "їх називає `bloom peer list`" },
  });

export const peerNameTaken = (name: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `this garden already follows one named ${name}`,
    uk: `цей сад уже стежить за садом на ім'я ${name}`,
    hint: { en: "choose another name for the new one", uk: "оберіть для нового іншу назву" },
  });
