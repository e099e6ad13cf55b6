import { embeddedText, text, type PromptHandler } from "../generated/index.ts";

/** A prompt with a resource inside a message. */
export const testPromptWithEmbeddedResource: PromptHandler<
  "test_prompt_with_embedded_resource"
> = ({ resourceUri }) => [
  { role: "user", content: embeddedText(resourceUri, "Embedded resource content.", "text/plain") },
  { role: "user", content: text("Please process the embedded resource above.") },
];
