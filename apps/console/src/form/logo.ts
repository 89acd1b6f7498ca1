import { readPicture, type PictureBounds } from '../parts/picture-file';

/** The pictures that the API takes. The contract's own constant stands beside its shapes, which are too heavy for a page. */
const bounds: PictureBounds = { widths: [800, 600, 400, 240, 120], maxBytes: 65_536, type: 'image/png' };

/** A logo as a data URL that the server takes. @returns undefined for what is no picture */
export const readLogo = (file: Blob): Promise<string | undefined> => readPicture(file, bounds);
