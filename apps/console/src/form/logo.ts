/** The pictures that the API takes. The contract's own constant stands beside its shapes, which are too heavy for a page. */
const maxLogoBytes = 65_536;

/** The widths that a picture is tried at, until it is small enough. */
const widths = [800, 600, 400, 240, 120];

/** A picture as a data URL that the server takes: as it is if it is small, else scaled down. @returns undefined for what is no picture */
export async function readLogo(file: Blob): Promise<string | undefined> {
  if (['image/png', 'image/jpeg', 'image/webp'].includes(file.type) && file.size <= maxLogoBytes) return dataUrl(file);
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  try {
    for (const width of widths) {
      const smaller = await scaled(picture, Math.min(width, picture.width));
      if (smaller && smaller.size <= maxLogoBytes) return await dataUrl(smaller);
    }
    return undefined;
  } finally {
    picture.close();
  }
}

function scaled(picture: ImageBitmap, width: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = Math.max(1, Math.round((picture.height * width) / picture.width));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

const dataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read.'));
    reader.readAsDataURL(file);
  });
