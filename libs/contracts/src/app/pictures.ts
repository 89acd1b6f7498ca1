/** The most bytes of a picture, as of a logo. */
export const maxPictureBytes = 65_536;

/** Neither side may be longer: small files can have pictures that fill the memory of a phone. */
export const maxPictureSide = 4_096;

/** A browser keeps four bytes for each pixel that it shows: 16 MB for a picture. */
export const maxPicturePixels = 2_048 * 2_048;

/** The pictures of all options of a form, each counted once: a document with them must fit into the body of a request. */
export const maxPicturesOfForm = { number: 40, bytes: 640 * 1_024 };

/** The pictures that are kept of a form, with those of earlier versions and those that a draft does not use yet. */
export const maxPicturesKept = 1_000;

/** An item of a form, as far as pictures are concerned. */
interface Pictured {
  type: string;
  options?: readonly { image?: { picture: string } | undefined }[] | undefined;
}

/** The ids of the pictures of all options, each once, in their order. */
export const picturesOf = (items: readonly Pictured[]): string[] => [
  ...new Set(items.flatMap(({ options = [] }) => options.flatMap(({ image }) => (image ? [image.picture] : [])))),
];
