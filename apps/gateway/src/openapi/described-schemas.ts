/** Descriptions of schemas by the name of the shape. The input and output sides of a shape share one entry. */
export const schemaDescriptions: Readonly<Record<string, string>> = {};
