/** Attached pictures: what is asked of them, what is sent, and what is said instead. */

import { callTool, say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { bitmap, jpegTurned } from "./pictures.ts";
import { facts } from "./shelf.ts";
import { house, sent, stage, type Stage, type StageOptions } from "./stage.ts";

interface WireBlock {
  readonly type: string;
  readonly text?: string;
  readonly source?: { readonly media_type: string; readonly data: string };
}

/** The blocks of the last message of a request on Anthropic's wire. */
function lastBlocks({ model }: Stage, request: number): readonly WireBlock[] {
  const body = model.requests[request]!.body as { messages: { content: WireBlock[] }[] };
  return body.messages.at(-1)!.content;
}

async function attach(files: Record<string, Uint8Array | string>, options?: StageOptions) {
  await using set = await stage([turn(say("I see"))]);
  for (const [name, content] of Object.entries(files)) await set.place.write(name, content);
  await using booted = await set.boot(options);
  await booted.prompt("look", Object.keys(files));
  const blocks = lastBlocks(set, 0);
  const images = blocks.flatMap(({ source }) => (source ? [source] : []));
  return {
    folder: set.place.path,
    text: blocks.map(({ text = "" }) => text).join(""),
    images: images.map(({ media_type, data }) => ({
      type: media_type,
      bytes: Buffer.from(data, "base64"),
    })),
  };
}

const refusal = async (name: string, content: Uint8Array | string) => {
  await using set = await stage([]);
  await set.place.write(name, content);
  await using booted = await set.boot();
  const error = await booted.prompt("look", [name]).then(
    () => undefined,
    (reason: Error) => reason,
  );
  expect(set.model.requests).toEqual([]);
  return error?.message.replaceAll(set.place.path, "");
};

const picture = () => new Bun.Image(bitmap(60, 40));

test("IMG-01 four kinds pass as they are, BMP is converted, the rest is refused in clear words", async () => {
  const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");
  const native = {
    "a.png": await picture().png().bytes(),
    "b.jpg": await picture().jpeg().bytes(),
    "c.webp": await picture().webp().bytes(),
    "d.gif": gif,
  };
  const { images } = await attach(native);
  expect(images.map(({ type }) => type)).toEqual([
    "image/png",
    "image/jpeg",
    "image/webp",
    "image/gif",
  ]);
  expect(images.map(({ bytes }) => bytes.toBase64())).toEqual(
    Object.values(native).map((bytes) => Buffer.from(bytes).toBase64()),
  );
  const converted = await attach({ "e.png": bitmap(60, 40) });
  expect(converted.images[0]!.type).toBe("image/png");
  expect(await new Bun.Image(converted.images[0]!.bytes).metadata()).toMatchObject({
    width: 60,
    height: 40,
    format: "png",
  });
  const foreign = {
    TIFF: Buffer.from("II*\0\b\0\0\0\0\0\0\0\0\0", "latin1"),
    HEIC: Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"),
    AVIF: Buffer.from("\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf", "latin1"),
  };
  for (const [kind, bytes] of Object.entries(foreign)) {
    expect(await refusal("photo", bytes)).toMatch(
      new RegExp(`^Cannot attach /photo: it is a (damaged )?${kind} picture`),
    );
  }
  expect(await refusal("half.png", native["a.png"].subarray(0, 80))).toBe(
    "Cannot attach /half.png: it is a damaged PNG picture.",
  );
});

test("an SVG is attached as its text, which models read", async () => {
  const svg = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>';
  const { images, text } = await attach({ "a.svg": svg });
  expect(images).toEqual([]);
  expect(text).toContain(svg);
});

test("IMG-02 SET-295 a large photo is fitted, turned upright, kept under the limit, and its scale is told", async () => {
  const photo = await new Bun.Image(bitmap(24, 16))
    .resize(6000, 4000, { filter: "bilinear" })
    .jpeg({ quality: 50 })
    .bytes();
  const { images, text } = await attach({ "photo.jpg": photo });
  expect(await new Bun.Image(images[0]!.bytes).metadata()).toMatchObject({
    width: 2000,
    height: 1333,
  });
  expect(text).toContain("shown at 2000x1333; the original is 6000x4000");
  expect(text).toContain("Multiply coordinates by 3 ");

  const noise = await attach({ "noise.bmp": bitmap(1300, 1200) });
  expect(noise.images[0]!.bytes.length).toBeLessThan(3_750_000);

  const turned = await attach({ "turned.jpg": await jpegTurned(60, 40) });
  const upright = new Bun.Image(turned.images[0]!.bytes, { autoOrient: false });
  expect(await upright.metadata()).toMatchObject({ width: 40, height: 60 });

  const whole = await attach({ "photo.jpg": photo }, { config: "images: { autoResize: false }\n" });
  expect(whole.images[0]!.bytes.length).toBe(photo.length);
});

test("IMG-03 SET-296 blocked pictures are never sent: not attached, not of tools, not of resumed history", async () => {
  await using set = await stage([
    turn(say("seen")),
    turn(callTool("read", { path: "a.png" })),
    turn(say("not seen")),
  ]);
  await set.place.write("a.png", await picture().png().bytes());
  {
    await using free = await set.boot();
    await free.prompt("look", ["a.png"]);
  }
  expect(sent(set.model, 0)).toContain('"image"');
  await using blocked = await set.boot({
    session: { kind: "continue" },
    config: "images: { blockImages: true }\n",
  });
  await blocked.prompt("look again", ["a.png"]);
  for (const request of [1, 2]) {
    expect(sent(set.model, request)).not.toContain('"image"');
    expect(sent(set.model, request)).not.toContain("base64");
  }
  expect(sent(set.model, 2).match(/the settings block images/g)).toHaveLength(3);
});

test("IMG-04 a model without sight gets a line of text in place of the picture", async () => {
  await using set = await stage([turn(say("seen")), turn(say("not seen"))]);
  await set.place.write("a.png", await picture().png().bytes());
  const extraProviders = [house(facts("sees"), facts("blind", { input: ["text"] }))];
  {
    await using first = await set.boot({ model: { model: "house/sees" }, extraProviders });
    await first.prompt("look", ["a.png"]);
  }
  await using second = await set.boot({
    session: { kind: "continue" },
    model: { model: "house/blind" },
    extraProviders,
  });
  await second.prompt("and now?");
  expect(sent(set.model, 0)).toContain("data:image/png;base64");
  expect(sent(set.model, 1)).not.toContain("base64");
  expect(sent(set.model, 1)).toContain("An image was left out");
});

test("IMG-05 pictures of tool results follow in a user's message where a wire wants it so", async () => {
  await using set = await stage([turn(callTool("read", { path: "a.png" })), turn(say("seen"))]);
  const png = await picture().png().bytes();
  await set.place.write("a.png", png);
  await using booted = await set.boot({
    model: { model: "house/a" },
    extraProviders: [house("a")],
  });
  await booted.prompt("look");
  const { messages } = set.model.requests[1]!.body as {
    messages: { role: string; content: unknown }[];
  };
  const [result, pictures] = messages.slice(-2);
  expect(result!.role).toBe("tool");
  expect(JSON.stringify(result)).not.toContain("base64");
  expect(pictures!.role).toBe("user");
  expect(JSON.stringify(pictures)).toContain(png.toBase64());
});

test("IMG-08 an attached picture is named in the text and sent once", async () => {
  const { images, text, folder } = await attach({ "a.png": await picture().png().bytes() });
  expect(text).toBe(`<file name="${folder}/a.png"></file>\nlook`);
  expect(images).toHaveLength(1);
});

test("IMG-13 more than 20 MiB is refused; of too many pictures the oldest give way", async () => {
  const huge = new Uint8Array(20 * 1024 * 1024 + 1);
  huge.set(await picture().png().bytes());
  expect(await refusal("huge.png", huge)).toMatch(/^Cannot attach \/huge\.png: file too large/);
  const small = await picture().png().bytes();
  const names = Array.from({ length: 120 }, (_, index) => `${index}.png`);
  const { images, text } = await attach(Object.fromEntries(names.map((name) => [name, small])));
  expect(images).toHaveLength(100);
  expect(text.match(/has more than the model takes/g)).toHaveLength(20);
  expect(text.indexOf("left out")).toBeGreaterThan(0);
});
