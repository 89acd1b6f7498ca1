import { maxPicturePixels } from '@sheaf/contracts';

/** The bounds that a picture is made to fit. */
export interface PictureBounds {
  /** It is tried at these widths, until it is small enough. */
  widths: readonly number[];
  maxBytes: number;
  /** The format of what is scaled down. A browser that cannot write WebP, as Safari, writes PNG, or JPEG if that is too large. */
  type: 'image/png' | 'image/webp';
}

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'];

/** A picture as a data URL that the server takes: as it is if it is small, else scaled down. @returns undefined for what is no picture */
export async function readPicture(file: Blob, { widths, maxBytes, type }: PictureBounds): Promise<string | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  try {
    // One that is far wider than it is shown, as a flat drawing may be, costs respondents memory however few its bytes are.
    const { width, height } = picture;
    const isSmall = file.size <= maxBytes && Math.max(width, height) <= 4 * Math.max(...widths) && width * height <= maxPicturePixels;
    if (isSmall && pictureTypes.includes(file.type)) return await dataUrl(file);
    for (const widest of widths) {
      const by = Math.min(1, widest / Math.max(width, height));
      for (const format of type === 'image/webp' ? [type, 'image/jpeg'] : [type]) {
        const smaller = await scaled(picture, by, format);
        if (smaller && smaller.size <= maxBytes) return await dataUrl(smaller);
      }
    }
    return undefined;
  } finally {
    picture.close();
  }
}

function scaled(picture: ImageBitmap, by: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * by));
  canvas.height = Math.max(1, Math.round(picture.height * by));
  const context = canvas.getContext('2d');
  if (context && type === 'image/jpeg') {
    // It knows no transparency, and would be black there.
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.8));
}

const dataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read.'));
    reader.readAsDataURL(file);
  });
