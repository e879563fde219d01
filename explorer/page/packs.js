// What the build packed, as explorer/packing.py says: base64 of what zlib has packed, and columns of numbers in it.

export async function unpack(text) {
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Numbers of `width` bytes, their lowest bytes first: rows of a pack, as explorer/packing.py says.
export function numbersAt(bytes, offset, width, rows) {
  const numbers = new Float64Array(rows);
  for (let row = 0; row < rows; row++)
    for (let column = width - 1; column >= 0; column--)
      numbers[row] = numbers[row] * 256 + bytes[offset + column * rows + row];
  return numbers;
}

export function keysAt(bytes, offset, rows) {
  const keys = new BigUint64Array(rows);
  const view = new Uint8Array(keys.buffer);
  for (let column = 0; column < 8; column++)
    for (let row = 0; row < rows; row++) view[row * 8 + column] = bytes[offset + column * rows + row];
  return keys;
}
