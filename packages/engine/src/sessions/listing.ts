/** The list of stored sessions: reading it takes an index that no start needs. */

export { listSessions } from "@omp/session";
