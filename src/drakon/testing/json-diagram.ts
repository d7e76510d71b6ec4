import { type Checked, checkText } from "../check.ts";
import { type Diagram, readDiagram } from "../diagram/diagram.ts";

/** Reads the file that holds this JSON value. */
export const jsonDiagram = (json: unknown): Diagram => readDiagram(JSON.stringify(json)).diagram;

export const checkJson = (json: unknown): Checked => checkText(JSON.stringify(json));
