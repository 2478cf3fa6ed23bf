/**
 * Decodes, turns, shrinks and encodes one image, in a thread of its own: it takes a while and a lot of memory, and the
 * decoder gives none of it back as long as its thread lives. Loaded by path, so it is a script as it stands.
 */
const { parentPort, workerData } = require('node:worker_threads');
const photon = require('@silvia-odwyer/photon-node');

const { bytes, maxSide, maxBytes, orientation, preferJpeg } = workerData;
const qualities = [85, 70, 50];

let image = turned(fitted(photon.PhotonImage.new_from_byteslice(bytes), maxSide), orientation);
for (;;) {
  const encoded = smallEnough(image);
  const width = image.get_width();
  const height = image.get_height();
  if (encoded) {
    parentPort.postMessage({ ...encoded, width, height });
    break;
  }
  image = fitted(image, Math.floor(Math.max(width, height) * 0.7));
}

function smallEnough(candidate) {
  if (!preferJpeg) {
    const data = candidate.get_bytes();
    if (data.length <= maxBytes) return { data, mimeType: 'image/png' };
  }
  for (const quality of qualities) {
    const data = candidate.get_bytes_jpeg(quality);
    if (data.length <= maxBytes) return { data, mimeType: 'image/jpeg' };
  }
  return undefined;
}

function fitted(original, side) {
  const width = original.get_width();
  const height = original.get_height();
  const scale = side / Math.max(width, height);
  if (scale >= 1) return original;
  const scaled = (length) => Math.max(1, Math.round(length * scale));
  const smaller = photon.resize(original, scaled(width), scaled(height), photon.SamplingFilter.Lanczos3);
  original.free();
  return smaller;
}

/** As the eight orientations of Exif say: 2, 4, 5 and 7 are mirrored, from 5 on the sides are swapped. */
function turned(original, how) {
  if (how === 1) return original;
  const width = original.get_width();
  const height = original.get_height();
  const swapped = how >= 5;
  const pixels = original.get_raw_pixels();
  const from = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  const to = new Uint32Array(width * height);
  const newWidth = swapped ? height : width;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const right = [2, 3].includes(how) ? width - 1 - x : x;
      const down = [3, 4].includes(how) ? height - 1 - y : y;
      const newX = swapped ? ([6, 7].includes(how) ? height - 1 - y : y) : right;
      const newY = swapped ? ([7, 8].includes(how) ? width - 1 - x : x) : down;
      to[newY * newWidth + newX] = from[y * width + x];
    }
  }
  original.free();
  return new photon.PhotonImage(new Uint8Array(to.buffer), newWidth, swapped ? width : height);
}
