/** Where a workflow is designed. */
export const designOf = (id: number) => `/ticket/workflow/design/${id}`;
