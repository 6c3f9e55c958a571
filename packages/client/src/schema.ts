/**
 * What a validator made of a value.
 * @stable
 */
export type SchemaResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/**
 * Any validator with the Standard Schema face: Zod, Valibot, ArkType, or a JSON Schema through `@parlance/json-schema`.
 * @see https://standardschema.dev
 * @stable
 */
export interface Schema<T> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<T> | Promise<SchemaResult<T>>;
    readonly types?: { readonly input: unknown; readonly output: T } | undefined;
  };
}
