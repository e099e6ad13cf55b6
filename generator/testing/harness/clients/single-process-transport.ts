import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/**
 * The SDK's client starts two processes for a transport of the SDK's own class, unless it is one of the older eras: the first
 * only to find out the protocol version. For this class, it starts one.
 */
export class SingleProcessTransport extends StdioClientTransport {}
