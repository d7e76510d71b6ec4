import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { atLine } from "../../../domain/run/procedure-words.ts";
import type { Request } from "../../../drakon/walk/request.ts";
import type { WalkEnd } from "../../../drakon/walk/walk-end.ts";
import type { LogicPlace } from "../../../ports/runtime.ts";
import type { AgentProcedure } from "./procedure.ts";

type IconPlace = Pick<Request, "diagram" | "icon" | "line">;

/** Names the places of a procedure in the journal and in failures: the diagram's file, the icon and the line. */
export class ProcedurePlaces {
  readonly #procedure: AgentProcedure;
  constructor(procedure: AgentProcedure) {
    this.#procedure = procedure;
  }

  of({ diagram, icon, line }: IconPlace): Omit<LogicPlace, "claimed"> {
    const { file } = this.#procedure.partOf(diagram);
    return { icon, ...(file !== undefined && { diagram: file }), ...(line !== undefined && { line }) };
  }

  textOf({ diagram, icon, line }: IconPlace): Text {
    return atLine(line, this.#procedure.partOf(diagram).textOf(icon));
  }

  failureAt(place: IconPlace, why: Text, cause?: Failure): Failure {
    return new Failure(cause?.code ?? "VALIDATION_FAILED", {
      ...prefixed(this.textOf(place), why),
      details: { ...cause?.details, ...this.of(place) },
      ...(cause && { cause }),
    });
  }

  /** The failure that the interpreter ended with. */
  failureOf({ code, message, diagram, icon }: Extract<WalkEnd, { kind: "failed" }>["problem"]): Failure {
    if (icon === undefined) return new Failure("VALIDATION_FAILED", { ...message, details: { code } });
    const part = this.#procedure.partOf(diagram ?? this.#procedure.main.name);
    const line = part.lineOf(icon);
    return new Failure("VALIDATION_FAILED", {
      ...prefixed(atLine(line, part.textOf(icon)), message),
      details: { code, icon, ...(line !== undefined && { line }) },
    });
  }
}

const prefixed = (where: Text, why: Text): Text => ({ en: `${where.en}: ${why.en}`, uk: `${where.uk}: ${why.uk}` });
