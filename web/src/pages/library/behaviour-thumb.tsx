import { useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { useMemo } from "react";
import { splitDiagrams } from "../../../../src/drakon/diagram/called-diagrams.ts";
import { type Diagram, readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import { query } from "../../api/queries.ts";
import { useDrawing } from "../../components/diagram-picture.tsx";

/** The outline of a behaviour's diagram without its words. The name beside it says the rest. */
export function BehaviourThumb({ id }: { readonly id: string }) {
  const text = useQuery({ ...query("GET /library/:id", { params: { id } }), retry: false }).data?.diagram;
  const diagram = useMemo(() => diagramIn(text ?? undefined), [text]);
  return (
    <span className="behaviour-thumb" aria-hidden="true">
      {diagram ? <Outline diagram={diagram} /> : <FileText size={22} strokeWidth={1.5} />}
    </span>
  );
}

function Outline({ diagram }: { readonly diagram: Diagram }) {
  const svg = useDrawing({ diagram, focusable: false, name: "" });
  // Safe: our own renderer escapes every text of the diagram.
  return <span className="thumb-picture" dangerouslySetInnerHTML={{ __html: svg }} />;
}

/** Undefined for a file that cannot be drawn: the page shows its problems in words. */
function diagramIn(text: string | undefined): Diagram | undefined {
  if (text === undefined) return undefined;
  try {
    return readDiagram(splitDiagrams(text).main).diagram;
  } catch {
    return undefined;
  }
}
