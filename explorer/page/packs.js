// Unpack the data of the page, in the formats of explorer/packing.py: columns of numbers, compressed by zlib, in base64.

export async function unpack(text) {
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Return a column of numbers that have `width` bytes each. In a pack, the lowest bytes of all rows come first, then the next
// bytes.
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
