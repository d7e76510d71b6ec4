/** The encoding of SSH (RFC 4251, section 5): values one after the other, each with its length. */
export const sshString = (value: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(value as Uint8Array);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

export const sshNumber = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Reads values in order. Throws RangeError for bytes that end too early. */
export class SshReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  raw(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new RangeError("bytes end too early");
    return this.#bytes.subarray(this.#at, (this.#at += length));
  }

  number(): number {
    return this.raw(4).readUInt32BE();
  }

  string(): Buffer {
    return this.raw(this.number());
  }

  text(): string {
    return this.string().toString("latin1");
  }

  get rest(): number {
    return this.#bytes.length - this.#at;
  }
}

/** The base64 between the two lines that name the content; undefined without them. */
export function armoured(text: string, name: string): Buffer | undefined {
  const match = new RegExp(`^-----BEGIN ${name}-----\\n([A-Za-z0-9+/=\\n]+)\\n-----END ${name}-----\\n?$`).exec(
    text.replaceAll("\r\n", "\n").trim(),
  );
  return match ? Buffer.from(match[1]!.replaceAll("\n", ""), "base64") : undefined;
}

export const armour = (bytes: Uint8Array, name: string): string =>
  `-----BEGIN ${name}-----\n${Buffer.from(bytes)
    .toString("base64")
    .replaceAll(/.{70}(?=.)/g, "$&\n")}\n-----END ${name}-----\n`;
