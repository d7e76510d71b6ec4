import { z } from "zod";
import { machine } from "../../../domain/layout.ts";
import type { Garden } from "../garden.ts";

/** The URL of a garden's gateway, for commands that print a link to it. A hint only: after a crash it may be outdated. */
const gatewayFile = z.object({
  url: z.url({ protocol: /^https?$/ }),
  /** It listens at every address of the machine. */
  network: z.boolean().optional(),
});
type GatewayPlace = z.infer<typeof gatewayFile>;

export const recordGatewayUrl = ({ folder }: Pick<Garden, "folder">, url: string, network = false): Promise<void> => {
  const place: GatewayPlace = { url, ...(network && { network }) };
  return folder.write(machine.gateway, [Buffer.from(`${JSON.stringify(place)}\n`)]);
};

/** Removes the address if it is still this one: another gateway on this machine may have recorded its own. */
export async function forgetGatewayUrl(garden: Pick<Garden, "folder">, url: string): Promise<void> {
  if ((await gatewayUrl(garden)) === url) await garden.folder.removeFile(machine.gateway);
}

export const gatewayUrl = async (garden: Pick<Garden, "folder">): Promise<string | undefined> =>
  (await gatewayPlace(garden))?.url;

export async function gatewayPlace({ folder }: Pick<Garden, "folder">): Promise<GatewayPlace | undefined> {
  try {
    const bytes = await folder.read(machine.gateway, 4096);
    return bytes && gatewayFile.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return undefined;
  }
}

/** The link that signs the owner in. */
export const signInLink = (url: string, code: string): string => new URL(`/sign-in?code=${code}`, url).href;
