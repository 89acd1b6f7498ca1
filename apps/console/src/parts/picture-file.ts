/** The bounds that a picture is made to fit. */
export interface PictureBounds {
  /** It is tried at these widths, until it is small enough. */
  widths: readonly number[];
  maxBytes: number;
  /** The format of what is scaled down. A browser that cannot write it writes PNG. */
  type: 'image/png' | 'image/webp';
}

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'];

/** A picture as a data URL that the server takes: as it is if it is small, else scaled down. @returns undefined for what is no picture */
export async function readPicture(file: Blob, { widths, maxBytes, type }: PictureBounds): Promise<string | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  try {
    // One that is far wider than it is shown, as a flat drawing may be, costs respondents memory however few its bytes are.
    const isSmall = file.size <= maxBytes && Math.max(picture.width, picture.height) <= 4 * Math.max(...widths);
    if (isSmall && pictureTypes.includes(file.type)) return await dataUrl(file);
    const largest = Math.max(picture.width, picture.height);
    for (const width of widths) {
      const smaller = await scaled(picture, Math.min(1, width / largest), type);
      if (smaller && smaller.size <= maxBytes) return await dataUrl(smaller);
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
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.8));
}

const dataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read.'));
    reader.readAsDataURL(file);
  });
