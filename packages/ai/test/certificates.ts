/** Certificates for the loopback, made for one test run: an authority that signs itself, and what it signs. */

import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";

export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** `issuer` is absent for an authority. */
export function identity(name: string, issuer?: Issuer): Identity & Issuer {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signer = issuer ?? { name, privateKey: pair.privateKey };
  const spki = pair.publicKey.export({ type: "spki", format: "der" });
  const extensions = issuer ? [extension("551d11", LOOPBACK)] : [extension("551d13", IS_AUTHORITY)];
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(serialOf(name)),
    ECDSA,
    nameOf(signer.name),
    sequence(time("250101000000Z"), time("491231235959Z")),
    nameOf(name),
    spki,
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", body, signer.privateKey);
  const der = sequence(body, ECDSA, tagged(0x03, Buffer.of(0), signature));
  return {
    name,
    privateKey: pair.privateKey,
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
    key: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

interface Issuer {
  readonly name: string;
  readonly privateKey: KeyObject;
}

const ECDSA = sequence(oid("2a8648ce3d040302"));
const IS_AUTHORITY = sequence(tagged(0x01, Buffer.of(0xff)));
/** The name `localhost` and the address 127.0.0.1. */
const LOOPBACK = sequence(
  tagged(0x82, Buffer.from("localhost")),
  tagged(0x87, Buffer.of(127, 0, 0, 1)),
);

function nameOf(text: string): Buffer {
  return sequence(tagged(0x31, sequence(oid("550403"), tagged(0x0c, Buffer.from(text)))));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), tagged(0x04, value));
}

function serialOf(name: string): number {
  return (Bun.hash.crc32(name) >>> 1) | 1;
}

function integer(value: number): Buffer {
  const digits = value.toString(16);
  const hex = digits.padStart(digits.length + (digits.length % 2), "0");
  return tagged(0x02, Buffer.from(/^[89a-f]/.test(hex) ? `00${hex}` : hex, "hex"));
}

function time(text: string): Buffer {
  return tagged(0x17, Buffer.from(text));
}

function oid(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, "hex"));
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(0x30, ...parts);
}

function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
