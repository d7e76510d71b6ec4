import type { CSSProperties } from "react";
import { type FlowerShape, flowerShape } from "../../../src/domain/flower.ts";

/** The size of a flower beside a line of text, in a list row and in the head of a page. */
export const FLOWER_PX = { line: 18, row: 26, head: 44 } as const;

/** A flower drawn from `of`: an agent's slug, or a garden's first commit. Decoration: the name stands beside it. */
export function Flower(props: {
  readonly of: string;
  /** Height in CSS pixels. */
  readonly size: number;
  readonly rings?: number | undefined;
  readonly hue?: number | undefined;
  /** The whole plant, with stem and leaves. */
  readonly hasStem?: boolean;
  /** A draft is a line drawing; a paused agent is pale. */
  readonly look?: "draft" | "paused" | undefined;
}) {
  const { of, size, rings = 1, hue, hasStem = false, look } = props;
  const shape = flowerShape(of, { sizePx: size, rings, hue, hasStem });
  const classes = ["flower", look, size < 60 && "small"].filter(Boolean).join(" ");
  return (
    <svg
      className={classes}
      style={
        { "--flower": shape.hue, "--flower-2": shape.innerHues[0], "--flower-3": shape.innerHues[1] } as CSSProperties
      }
      width={hasStem ? Math.round((size * 220) / 378) : size}
      height={size}
      viewBox={shape.viewBox}
      aria-hidden="true"
    >
      {shape.stem !== undefined && <path className="stem" d={shape.stem} />}
      {shape.leaves.map(({ path, transform }) => (
        <path key={transform} className="leaf" d={path} transform={transform} />
      ))}
      <Petals petals={shape.petals} />
      <circle className="heart" r={shape.heart} />
      {shape.seeds.map(({ x, y, r }) => (
        <circle key={`${x} ${y}`} className="seed" cx={x} cy={y} r={r} />
      ))}
    </svg>
  );
}

const Petals = ({ petals }: Pick<FlowerShape, "petals">) =>
  petals.map(({ ring, turn, path, vein }) => (
    <g key={`${ring} ${turn}`} transform={`rotate(${turn})`}>
      <path className={`petal ring-${ring}`} d={path} />
      {vein !== undefined && <path className="vein" d={vein} />}
    </g>
  ));
