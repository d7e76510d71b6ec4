import { z } from "zod";
import { machine } from "../../../domain/layout.ts";
import type { Garden } from "../garden.ts";

/**
 * Where the gateway of a garden is, for commands that print a link to it. A note of convenience: after a crash it may name
 * a place where nobody answers any more.
 */
const place = z.object({ url: z.url({ protocol: /^https?$/ }) });

export const tellGatewayPlace = ({ folder }: Pick<Garden, "folder">, url: string): Promise<void> =>
  folder.write(machine.gateway, [Buffer.from(`${JSON.stringify({ url })}\n`)]);

export const forgetGatewayPlace = ({ folder }: Pick<Garden, "folder">): Promise<void> =>
  folder.removeFile(machine.gateway);

export async function gatewayPlace({ folder }: Pick<Garden, "folder">): Promise<string | undefined> {
  try {
    const bytes = await folder.read(machine.gateway, 4096);
    return bytes && place.parse(JSON.parse(Buffer.from(bytes).toString())).url;
  } catch {
    return undefined;
  }
}

/** The link that signs the owner in. */
export const signInLink = (url: string, code: string): string => new URL(`/sign-in?code=${code}`, url).href;
