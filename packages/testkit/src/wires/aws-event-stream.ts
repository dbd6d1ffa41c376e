/** Messages of AWS's event stream: lengths, headers, payload, and the two checksums. */

const TEXT = 7;
const PRELUDE = 12;
const CRC = 4;

/** Headers are texts; the vendor's own services send no others here. */
export function awsMessage(
  headers: Readonly<Record<string, string>>,
  payload: string,
): Uint8Array<ArrayBuffer> {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const body = Buffer.from(payload);
  const message = Buffer.alloc(PRELUDE + head.length + body.length + CRC);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(head.length, 4);
  message.writeUInt32BE(Bun.hash.crc32(message.subarray(0, 8)), 8);
  head.copy(message, PRELUDE);
  body.copy(message, PRELUDE + head.length);
  const end = message.length - CRC;
  message.writeUInt32BE(Bun.hash.crc32(message.subarray(0, end)), end);
  return Uint8Array.from(message);
}

function header(name: string, value: string): Uint8Array {
  const text = Buffer.from(value);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  const start = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([TEXT])]);
  return Buffer.concat([start, length, text]);
}
