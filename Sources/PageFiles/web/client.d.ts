// Types of client.js, for TypeScript and editors.

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Value = string | number | boolean;
type Raw = string | Blob | ArrayBufferView;
/** The paths of a method, as the description writes them. */
export type Path<M extends Method> = keyof Endpoints extends infer Name ? Name extends `${M} ${infer P}` ? P : never : never;
type Endpoint<M extends Method, P extends string> = `${M} ${P}` extends keyof Endpoints ? Endpoints[`${M} ${P}`] : never;
type Given<T> = {} extends T ? [parameters?: T] : [parameters: T];
type Sent<E extends Endpoints[keyof Endpoints]> = {} extends E["parameters"]
  ? E["body"] extends undefined ? [] : [body: E["body"]]
  : [body: E["body"], ...parameters: Given<E["parameters"]>];
/** The paths of lists. */
export type List = { [P in Path<"GET">]: Endpoint<"GET", P>["answer"] extends { items: any[] } ? P : never }[Path<"GET">];

export interface Page<Item> {
  items: Item[];
  /** Requests the next page; absent at the end. */
  cursor?: string;
  /** The search was cut off: the next page continues it. */
  truncated?: boolean;
  count?: number;
  done?: boolean;
  for?: Fit;
  explain?: Explanation;
}

export interface Options {
  /** The token of a person, service or device, or a function that returns it; none for a service without keys. */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  /** The person for whom a service acts. */
  actingAs?: string;
  /** The maximum number of attempts of a repeatable request, by default 4. */
  attempts?: number;
  /** The seconds after which a request, or a silent stream, fails; by default 60. */
  timeout?: number;
  /** Whether a token may be sent over plain http to another machine. */
  cleartext?: boolean;
}

export interface RequestOptions {
  parameters?: Record<string, unknown>;
  /** JSON, or a file with its `Content-Type` among the headers. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The entity tag, for `If-Match`. */
  tag?: string;
  /** The value of JSON, else the text. */
  body: any;
}

export interface Message<Data = any> {
  type: string;
  data: Data;
  id?: string;
}

/** A failed request: the service's problem (RFC 9457), or a missing answer. It has neither the token nor the query. */
export class CercaError extends Error {
  readonly request: string;
  /** Undefined if no complete answer came. */
  readonly status?: number;
  /** The code of the problem for programs, such as `not_found`. */
  readonly code?: string;
  readonly detail: string;
  readonly errors: FieldError[];
  readonly requestId?: string;
  /** The seconds to wait before a retry. */
  readonly retryAfter?: number;
  readonly isTransient: boolean;
}

/** The path and query of an endpoint such as `/v1/people/{id}`. */
export function target(path: string, parameters?: Record<string, unknown>): string;

/** A client of a running service, with the identity of the caller. All methods throw `CercaError`. */
export class Cerca {
  constructor(url: string | URL, options?: Options);
  get<P extends Path<"GET">>(path: P, ...parameters: Given<Endpoint<"GET", P>["parameters"]>): Promise<Endpoint<"GET", P>["answer"]>;
  post<P extends Path<"POST">>(path: P, ...sent: Sent<Endpoint<"POST", P>>): Promise<Endpoint<"POST", P>["answer"]>;
  put<P extends Path<"PUT">>(path: P, ...sent: Sent<Endpoint<"PUT", P>>): Promise<Endpoint<"PUT", P>["answer"]>;
  patch<P extends Path<"PATCH">>(path: P, ...sent: Sent<Endpoint<"PATCH", P>>): Promise<Endpoint<"PATCH", P>["answer"]>;
  delete<P extends Path<"DELETE">>(path: P, ...parameters: Given<Endpoint<"DELETE", P>["parameters"]>): Promise<Endpoint<"DELETE", P>["answer"]>;
  /** Any request, with its whole answer. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** The items of a list, whose pages are requested when they are needed. */
  items<P extends List>(path: P, ...parameters: Given<Endpoint<"GET", P>["parameters"]>): AsyncGenerator<Endpoint<"GET", P>["answer"]["items"][number]>;
  /** The pages of a list; a page may be empty although more follow. */
  pages<P extends List>(path: P, ...parameters: Given<Endpoint<"GET", P>["parameters"]>): AsyncGenerator<Endpoint<"GET", P>["answer"]>;
  /** Sends pings in batches, and returns a report of each; a ping without a time gets the present. */
  sendBatches(pings: Iterable<Ping>, size?: number): AsyncGenerator<PingReport>;
  /** Events as they happen, after the event with an id, else from now on; `reset` means that some are missing. */
  events(filters?: Endpoints["GET /v1/events"]["parameters"], options?: { after?: string | number; signal?: AbortSignal }): AsyncGenerator<Message<Event>>;
  /** The messages of a stream, which is opened again after its last message, until the service refuses. */
  follow(path: string, parameters?: Record<string, unknown>, options?: { after?: string | number; signal?: AbortSignal }): AsyncGenerator<Message>;
}

// Made of /openapi.json by tools/described.py:

export interface Acquaintance {
  alerts?: "nobody" | "asked";
  city?: string;
  id?: string;
  label?: string;
  name?: string;
  photo?: string;
  since?: string;
  surname?: string;
}

export interface Answers {
  answers: (Record<string, any>)[];
}

export type Area = { lat: number; lon: number; within_m: number } | { coordinates: number[][][]; type: "Polygon" } | { coordinates: number[][][][]; type: "MultiPolygon" } | { coordinates: number[][]; type: "LineString"; within_m: number };

export interface Arrival {
  place: string;
  within_m: number;
}

export interface City {
  country?: string;
  distance_m?: number;
  lat?: number;
  lon?: number;
  name?: string;
  population?: number;
  timezone?: string;
}

export interface Comment {
  at?: string;
  author?: string;
  author_name?: string;
  edited_at?: string;
  id?: string;
  text?: string;
}

export interface CommentForm {
  author?: string | null;
  text: string;
}

export interface CommentPatch {
  text: string;
}

export interface Decision {
  like: boolean;
}

export interface Deliveries {
  items: Delivery[];
  through?: number;
  waiting?: number;
}

export interface Delivery {
  at: string;
  error?: string;
  event?: number;
  id: string;
  status?: number;
  taken: boolean;
  took_ms: number;
  type: string;
}

export interface Device {
  id: string;
  last_heard_at?: string;
  since: string;
  unreadable?: { at: string; count: number; protocol: "owntracks" | "osmand" | "overland" | "gpslogger" };
}

export interface DeviceForm {
  id: string;
}

export interface DeviceToken {
  id: string;
  since: string;
  token: string;
}

export interface Encounter {
  at?: string;
  basis?: "seen" | "reach";
  distance_m?: number;
  from?: string;
  lat?: number;
  lon?: number;
  to?: string;
  uncertainty_m?: number;
}

export interface Erased {
  deleted: number;
  stays_cut?: number;
}

export interface Event {
  at: string;
  fence?: string;
  group?: string;
  id: number;
  note?: string;
  other?: string;
  person?: string;
  place?: string;
  position?: { accuracy_m?: number; at: string; lat: number; lon: number; precision: "exact" | "approximate" | "city" | "hidden"; seen_until?: string; since?: string } | null;
  precision?: "exact" | "approximate" | "city" | "hidden";
  product?: string;
  share?: string;
  through?: boolean;
  type: "ping.moved" | "friend.asked" | "friend.made" | "friend.ended" | "match.made" | "match.undone" | "group.changed" | "group.invited" | "group.joined" | "group.left" | "place.created" | "place.changed" | "place.deleted" | "comment.created" | "comment.changed" | "comment.deleted" | "favourite.count" | "stock.changed" | "fence.enter" | "fence.exit" | "fence.dwell" | "fence.silent" | "fence.asked" | "near.enter" | "near.exit" | "share.opened" | "share.ended" | "events.limited";
}

export interface Explanation {
  cut_off?: "limits.scan";
  duration_ms: number;
  looked_at?: number;
  parts?: number;
  reading_ms?: number;
  steps: number;
  ways?: ("by_distance" | "in_order" | "by_product" | "each" | "all")[];
}

export interface Facets {
  attributes?: Record<string, { count: number; max?: number; min?: number }>;
  count: number;
  explain?: Explanation;
  facets: Record<string, ({ count: number; price_max?: number; price_min?: number; value: string | number | boolean })[]>;
  for?: Fit;
  more?: string[];
  truncated?: boolean;
}

export type Favourite = Acquaintance | Place | Product;

export interface Fence {
  area?: FenceArea;
  attributes?: Record<string, string | number | boolean | string[]>;
  confirm?: number;
  dwell_s?: number;
  ends?: string | number;
  everybody?: boolean;
  group?: string;
  id?: string;
  margin_m?: number;
  near?: Near;
  note?: string;
  on?: ("enter" | "exit" | "dwell" | "silent")[];
  once?: boolean;
  people?: string[];
  silent_s?: number;
  timetable?: Timetable;
}

export type FenceArea = Area | { place: string; within_m?: number | null } | { places: PlacesOfKind };

export interface FenceForm {
  area?: FenceArea | null;
  attributes?: Record<string, string | number | boolean | string[]> | null;
  confirm?: number | null;
  dwell_s?: number | null;
  ends?: string | number | null;
  everybody?: boolean | null;
  group?: string | null;
  id?: string | null;
  margin_m?: number | null;
  near?: Near | null;
  note?: string | null;
  on?: ("enter" | "exit" | "dwell" | "silent")[] | null;
  once?: boolean | null;
  people?: string[] | null;
  silent_s?: number | null;
  timetable?: Timetable | null;
}

export interface FieldError {
  code: string;
  detail: string;
  pointer: string;
}

export interface Fit {
  gender?: string[];
  person: string;
  size?: string[];
  unknown?: string[];
}

export interface FriendAlerts {
  alerts: "nobody" | "asked";
}

export interface FriendLabel {
  label: string;
}

export interface FriendRequests {
  received: Acquaintance[];
  sent: Acquaintance[];
}

export interface Friendship {
  state: "none" | "asked" | "pending" | "friends";
}

export interface Group {
  id?: string;
  members?: number;
  name?: string;
  owner?: string;
  photo?: string;
  since?: string;
  timetable?: Timetable;
}

export interface GroupForm {
  id?: string | null;
  name: string;
  owner?: string | null;
  photo?: string | null;
  timetable?: Timetable | null;
}

export interface GroupPatch {
  id?: string | null;
  name?: string;
  owner?: string;
  photo?: string | null;
  timetable?: Timetable | null;
}

export interface Health {
  clock_ahead_s?: number;
  people?: number;
  places?: number;
  products?: number;
  status: "ok";
}

export interface Hint {
  beyond_m: number;
  from: { lat: number; lon: number };
  not_before: string;
  until: string;
}

export interface ImportReport {
  columns?: ReadColumn[];
  columns_truncated?: boolean;
  created?: number;
  doubted?: ({ remarks: FieldError[]; row: number })[];
  doubted_count?: number;
  doubted_truncated?: boolean;
  hours_not_understood?: ({ remarks: FieldError[]; row: number })[];
  hours_not_understood_count?: number;
  hours_not_understood_truncated?: boolean;
  normalised?: ({ remarks: FieldError[]; row: number })[];
  normalised_count?: number;
  normalised_truncated?: boolean;
  notes?: string[];
  pruned?: number;
  refused: RefusedRow[];
  refused_count: number;
  refused_truncated?: boolean;
  rows: number;
  updated?: number;
  verdicts?: Record<string, number>;
}

export interface Installation {
  backup?: { at: string; bytes: number };
  counts: { people?: number; places?: number; products?: number };
  database_bytes?: number;
  examined_at?: string;
  findings?: ({ state: "ok" | "warning" | "fault"; subject: string })[];
  schema?: number;
  started_at: string;
  version: string;
}

export interface Invitation {
  at?: string;
  by?: Acquaintance;
  id?: string;
  name?: string;
  photo?: string;
}

export interface MapStyle {
  layers: (Record<string, any>)[];
  name?: string;
  sources: Record<string, any>;
  version: number;
}

export interface Match {
  match: boolean;
}

export interface Membership {
  state: "invited" | "member";
}

export interface Near {
  margin_m?: number | null;
  of: string;
  who: string[] | "friends" | { group: string };
  within_m: number;
}

export interface NewPersonForm {
  about?: string | null;
  attributes?: Record<string, string | number | boolean | string[]> | null;
  born?: string | null;
  city?: string | null;
  discoverable?: boolean | null;
  email?: string | null;
  name?: string | null;
  phone?: string | null;
  photo?: string | null;
  relationship?: "single" | "partnered" | "married" | "separated" | "divorced" | "widowed" | "open" | "complicated" | null;
  retention_s?: number | null;
  searchable?: boolean | null;
  searchable_by_email?: boolean | null;
  sex?: "female" | "male" | "other" | null;
  sharing?: SharingForm | null;
  surname?: string | null;
  throttle?: ThrottleForm | null;
  tokens_not_before?: string | number | null;
}

export interface NewPlaceForm {
  address?: string | null;
  area?: Area | null;
  attributes?: Record<string, string | number | boolean | string[]> | null;
  category?: string | null;
  city?: any;
  created?: any;
  favourites?: any;
  hours?: string | null;
  hours_on_holidays?: any;
  hours_understood?: any;
  hours_warnings?: any;
  kind: string;
  lat?: number | null;
  lon?: number | null;
  name: string;
  owner?: string | null;
  tags?: string[] | null;
  timezone?: string | null;
  timezone_guessed?: any;
}

export interface OGCCollection {
  crs?: string[];
  description?: string;
  id: string;
  itemType?: "feature";
  links: OGCLink[];
  title?: string;
}

export interface OGCCollections {
  collections: OGCCollection[];
  links: OGCLink[];
}

export interface OGCConformance {
  conformsTo: string[];
  links?: OGCLink[];
}

export interface OGCLandingPage {
  description?: string;
  links: OGCLink[];
  title?: string;
}

export interface OGCLink {
  href: string;
  rel: string;
  title?: string;
  type?: string;
}

export interface Offer {
  brand?: string;
  currency?: string;
  id?: string;
  name?: string;
  photo?: string;
  price?: number;
  quantity?: number;
  sizes?: Record<string, number>;
}

export interface OpenedShare {
  expires: string;
  id: string;
  label?: string;
  precision: "exact" | "approximate" | "city";
  since: string;
  trail: boolean;
  until?: Arrival;
  url: string;
  views: number;
}

export interface OwnFenceForm {
  area?: FenceArea | null;
  confirm?: number | null;
  dwell_s?: number | null;
  ends?: string | number | null;
  id?: string | null;
  margin_m?: number | null;
  near?: OwnNear | null;
  note?: string | null;
  on?: ("enter" | "exit" | "dwell" | "silent")[] | null;
  once?: boolean | null;
  people?: string[] | null;
  silent_s?: number | null;
  timetable?: Timetable | null;
}

export interface OwnNear {
  margin_m?: number | null;
  of?: string | null;
  who: string[] | "friends" | { group: string };
  within_m: number;
}

export interface Person {
  about?: string;
  attributes?: Record<string, string | number | boolean | string[]>;
  born?: string;
  city?: string;
  discoverable?: boolean;
  email?: string;
  id?: string;
  name?: string;
  phone?: string;
  photo?: string;
  relationship?: "single" | "partnered" | "married" | "separated" | "divorced" | "widowed" | "open" | "complicated";
  retention_s?: number;
  searchable?: boolean;
  searchable_by_email?: boolean;
  sex?: "female" | "male" | "other";
  sharing?: Sharing;
  surname?: string;
  throttle?: { distance_m?: number; interval_s?: number };
  tokens_not_before?: string;
}

export interface PersonExport {
  person: Person;
}

export interface PersonForm {
  about?: string | null;
  attributes?: Record<string, string | number | boolean | string[]> | null;
  born?: string | null;
  city?: string | null;
  discoverable?: boolean | null;
  email?: string | null;
  id?: string | null;
  name?: string | null;
  phone?: string | null;
  photo?: string | null;
  relationship?: "single" | "partnered" | "married" | "separated" | "divorced" | "widowed" | "open" | "complicated" | null;
  retention_s?: number | null;
  searchable?: boolean | null;
  searchable_by_email?: boolean | null;
  sex?: "female" | "male" | "other" | null;
  sharing?: SharingForm | null;
  surname?: string | null;
  throttle?: ThrottleForm | null;
  tokens_not_before?: string | number | null;
}

export interface PersonFound {
  at?: string;
  city?: string;
  id?: string;
  lat?: number;
  lon?: number;
  name?: string;
  seen_until?: string;
  since?: string;
  surname?: string;
}

export interface PersonNearby {
  age_s?: number;
  alerts?: "nobody" | "asked";
  at?: string;
  basis?: "seen" | "reach";
  bearing?: number;
  distance_m?: number;
  id?: string;
  label?: string;
  lat?: number;
  lon?: number;
  method?: "last" | "interpolated";
  name?: string;
  next_at?: string;
  photo?: string;
  precision?: "exact" | "approximate" | "city" | "hidden";
  seen_until?: string;
  since?: string;
  uncertainty_m?: number;
}

export type PhoneCounts = Record<string, Record<string, number>>;

export interface Ping {
  accuracy_m?: number | null;
  altitude_m?: number | null;
  battery?: number | null;
  device?: string | null;
  heading?: number | null;
  lat: number;
  lon: number;
  person?: string | null;
  speed_mps?: number | null;
  t?: string | number | null;
}

export interface PingReport {
  duplicate?: number;
  errors?: FieldError[];
  hint?: Hint;
  hints?: Record<string, Hint>;
  refused?: number;
  stored: number;
  throttled: number;
  verdicts: string[];
}

export interface Place {
  address?: string;
  area?: Area;
  attributes?: Record<string, string | number | boolean | string[]>;
  bearing?: number;
  category?: string;
  city?: City;
  closes_at?: string;
  created?: string;
  distance_m?: number;
  favourites?: number;
  hours?: string;
  hours_on_holidays?: "unknown";
  hours_understood?: boolean;
  hours_warnings?: string[];
  id?: string;
  kind?: string;
  lat?: number;
  lon?: number;
  name?: string;
  open?: boolean;
  opens_at?: string;
  owner?: string;
  since?: string;
  tags?: string[];
  timezone?: string;
  timezone_guessed?: string;
}

export interface PlaceCluster {
  count: number;
  id?: string;
  kind?: string;
  lat: number;
  lon: number;
  name?: string;
}

export interface PlaceForm {
  address?: string | null;
  area?: Area | null;
  attributes?: Record<string, string | number | boolean | string[]> | null;
  category?: string | null;
  city?: any;
  created?: any;
  favourites?: any;
  hours?: string | null;
  hours_on_holidays?: any;
  hours_understood?: any;
  hours_warnings?: any;
  id?: string | null;
  kind: string;
  lat?: number | null;
  lon?: number | null;
  name: string;
  owner?: string | null;
  tags?: string[] | null;
  timezone?: string | null;
  timezone_guessed?: any;
}

export interface PlacePatch {
  address?: string | null;
  area?: Area | null;
  attributes?: Record<string, string | number | boolean | string[]> | null;
  category?: string | null;
  city?: any;
  created?: any;
  favourites?: any;
  hours?: string | null;
  hours_on_holidays?: any;
  hours_understood?: any;
  hours_warnings?: any;
  id?: string | null;
  kind?: string;
  lat?: number | null;
  lon?: number | null;
  name?: string;
  owner?: string | null;
  tags?: string[] | null;
  timezone?: string | null;
  timezone_guessed?: any;
}

export interface PlacesOfKind {
  kind: string;
}

export interface Position {
  accuracy_m?: number;
  age_s?: number;
  at: string;
  basis?: "seen" | "reach";
  id: string;
  lat: number;
  lon: number;
  method?: "last" | "interpolated";
  next_at?: string;
  precision: "exact" | "approximate" | "city" | "hidden";
  seen_until?: string;
  since?: string;
  uncertainty_m?: number;
}

export interface Product {
  attributes?: Record<string, string | number | boolean | string[]>;
  brand?: string;
  category?: string;
  colors?: string[];
  created?: string;
  currency?: string;
  description?: string;
  favourites?: number;
  gender?: string;
  id?: string;
  materials?: string[];
  name?: string;
  photo?: string;
  price?: number;
  since?: string;
  sizes?: string[];
  url?: string;
}

export interface ProductForm {
  attributes?: Record<string, string | number | boolean | string[]> | null;
  brand?: string | null;
  category?: string | null;
  colors?: string[] | null;
  created?: any;
  currency?: string | null;
  description?: string | null;
  favourites?: any;
  gender?: string | null;
  id?: string | null;
  materials?: string[] | null;
  name: string;
  photo?: string | null;
  price?: number | null;
  sizes?: string[] | null;
  url?: string | null;
}

export interface PublicCell {
  cell?: { corners: ({ lat: number; lon: number })[]; lat: number; lon: number };
  id: string;
  seen?: "now" | "today" | "this week";
}

export interface Queries {
  queries: (Record<string, any>)[];
}

export interface ReadColumn {
  doubts?: ({ detail: string; row: number })[];
  name: string;
  not_read: number;
  read_as?: string;
  values: number;
}

export interface RefusedRow {
  byte?: number;
  errors: FieldError[];
  line?: number;
  row: number;
}

export interface Share {
  expires: string;
  id: string;
  label?: string;
  precision: "exact" | "approximate" | "city";
  since: string;
  trail: boolean;
  until?: Arrival;
  views: number;
}

export interface ShareForm {
  expires?: string | number | null;
  for_s?: number | null;
  label?: string | null;
  precision?: "exact" | "approximate" | "city" | null;
  trail?: boolean | null;
  until?: Arrival | null;
}

export interface SharedView {
  expires: string;
  label?: string;
  position: { accuracy_m?: number; at: string; lat: number; lon: number; precision: "exact" | "approximate" | "city" | "hidden"; seen_until?: string; since?: string } | null;
  trail?: ({ at: string; lat: number; lon: number; precision: "exact" | "approximate" | "city" })[];
}

export interface Sharing {
  alerts?: "nobody" | "asked" | "friends";
  paused_until?: string;
  precision?: "exact" | "approximate" | "city" | "hidden";
  timetable?: Timetable;
  zones?: Zone[];
}

export interface SharingForm {
  alerts?: "nobody" | "asked" | "friends" | null;
  paused_until?: string | number | null;
  precision?: "exact" | "approximate" | "city" | "hidden" | null;
  timetable?: Timetable | null;
  zones?: Zone[] | null;
}

export interface ShownPlace {
  address?: string;
  id: string;
  kind: string;
  lat?: number;
  lon?: number;
  name: string;
}

export interface ShownProduct {
  address?: string;
  id: string;
  kind: string;
  lat?: number;
  lon?: number;
  name: string;
  product: { brand?: string; currency?: string; id: string; name: string; price?: number };
}

export interface Stock {
  currency?: string;
  price?: number;
  product: string;
  quantity?: number;
  sizes?: Record<string, number>;
  store?: string;
}

export interface StockForm {
  currency?: string | null;
  price?: number | null;
  quantity?: number | null;
  sizes?: Record<string, number> | null;
}

export interface Store {
  address?: string;
  area?: Area;
  attributes?: Record<string, string | number | boolean | string[]>;
  bearing?: number;
  category?: string;
  city?: City;
  closes_at?: string;
  created?: string;
  distance_m?: number;
  favourites?: number;
  hours?: string;
  hours_on_holidays?: "unknown";
  hours_understood?: boolean;
  hours_warnings?: string[];
  id?: string;
  kind?: string;
  lat?: number;
  lon?: number;
  name?: string;
  open?: boolean;
  opens_at?: string;
  owner?: string;
  products?: Offer[];
  since?: string;
  tags?: string[];
  timezone?: string;
  timezone_guessed?: string;
}

export interface StoredPing {
  accuracy_m?: number;
  altitude_m?: number;
  battery?: number;
  device?: string;
  heading?: number;
  lat?: number;
  lon?: number;
  seen_until?: string;
  speed_mps?: number;
  suspect?: boolean;
  t?: string;
}

export interface Stranger {
  about?: string;
  age?: number;
  city?: string;
  distance?: string;
  id?: string;
  name?: string;
  photo?: string;
  relationship?: "single" | "partnered" | "married" | "separated" | "divorced" | "widowed" | "open" | "complicated";
  seen?: "now" | "today" | "this week";
  sex?: "female" | "male" | "other";
}

export interface ThrottleForm {
  distance_m?: number | null;
  interval_s?: number | null;
}

export interface Ticket {
  expires: string;
  ticket: string;
}

export interface TileJSON {
  bounds?: number[];
  maxzoom?: number;
  minzoom?: number;
  name?: string;
  tilejson: string;
  tiles: string[];
  vector_layers: ({ description?: string; fields: Record<string, string>; id: string })[];
}

export interface Timetable {
  hours: string;
  timezone: string;
}

export interface TrackReport {
  broken_off?: { byte?: number; detail: string; line?: number };
  format?: string;
  interval?: string;
  notes?: string[];
  refused: RefusedRow[];
  refused_count: number;
  refused_truncated?: boolean;
  rows: number;
  stored: number;
  verdicts: Record<string, number>;
  without_time: number;
}

export interface Watcher {
  accepted?: string;
  area?: FenceArea | { coordinates?: any[]; lat?: number; lon?: number; place: string; type?: string; within_m?: number };
  asked: string;
  dwell_s?: number;
  ends?: string;
  fence: string;
  margin_m?: number;
  near?: { margin_m?: number; within_m?: number };
  on: ("enter" | "exit" | "dwell" | "silent")[];
  once?: boolean;
  owner: string;
  silent_s?: number;
  timetable?: Timetable;
  watching: boolean;
}

export interface Webhook {
  disabled?: "gone" | "failing";
  fence?: string;
  group?: string;
  id?: string;
  ordered?: boolean;
  person?: string;
  place?: string;
  product?: string;
  secret?: string;
  types?: ("ping.moved" | "friend.asked" | "friend.made" | "friend.ended" | "match.made" | "match.undone" | "group.changed" | "group.invited" | "group.joined" | "group.left" | "place.created" | "place.changed" | "place.deleted" | "comment.created" | "comment.changed" | "comment.deleted" | "favourite.count" | "stock.changed" | "fence.enter" | "fence.exit" | "fence.dwell" | "fence.silent" | "fence.asked" | "near.enter" | "near.exit" | "share.opened" | "share.ended" | "events.limited")[];
  url?: string;
}

export interface WebhookForm {
  disabled?: "gone" | "failing" | null;
  fence?: string | null;
  group?: string | null;
  id?: string | null;
  ordered?: boolean | null;
  person?: string | null;
  place?: string | null;
  product?: string | null;
  types?: ("ping.moved" | "friend.asked" | "friend.made" | "friend.ended" | "match.made" | "match.undone" | "group.changed" | "group.invited" | "group.joined" | "group.left" | "place.created" | "place.changed" | "place.deleted" | "comment.created" | "comment.changed" | "comment.deleted" | "favourite.count" | "stock.changed" | "fence.enter" | "fence.exit" | "fence.dwell" | "fence.silent" | "fence.asked" | "near.enter" | "near.exit" | "share.opened" | "share.ended" | "events.limited")[] | null;
  url: string;
}

export interface WebhookSecret {
  former_until: string;
  secret: string;
}

export interface Zone {
  id: string;
  lat: number;
  lon: number;
  radius_m: number;
}

/** The parameters, the body and the answer of each endpoint. */
export interface Endpoints {
  "GET /ingest/gpslogger": {
    parameters: {  };
    body: undefined;
    answer: string;
  };
  "POST /ingest/gpslogger": {
    parameters: {  };
    body: undefined;
    answer: string;
  };
  "GET /ingest/osmand": {
    parameters: {  };
    body: undefined;
    answer: string;
  };
  "POST /ingest/osmand": {
    parameters: {  };
    body: undefined;
    answer: string;
  };
  "GET /ingest/osmand/{rest}": {
    parameters: { rest: string };
    body: undefined;
    answer: string;
  };
  "POST /ingest/osmand/{rest}": {
    parameters: { rest: string };
    body: undefined;
    answer: string;
  };
  "POST /ingest/overland": {
    parameters: {  };
    body: any;
    answer: any;
  };
  "POST /ingest/owntracks": {
    parameters: {  };
    body: any;
    answer: any;
  };
  "POST /ingest/owntracks/pub": {
    parameters: {  };
    body: any;
    answer: any;
  };
  "GET /livez": {
    parameters: {  };
    body: undefined;
    answer: Health;
  };
  "GET /metrics": {
    parameters: {  };
    body: undefined;
    answer: string;
  };
  "GET /ogc": {
    parameters: { f?: "json" | "html" };
    body: undefined;
    answer: OGCLandingPage;
  };
  "GET /ogc/api": {
    parameters: {  };
    body: undefined;
    answer: string;
  };
  "GET /ogc/collections": {
    parameters: { f?: "json" | "html" };
    body: undefined;
    answer: OGCCollections;
  };
  "GET /ogc/collections/{id}": {
    parameters: { id: string; f?: "json" | "html" };
    body: undefined;
    answer: OGCCollection;
  };
  "GET /ogc/collections/{id}/items": {
    parameters: { id: string; f?: "json" | "html"; bbox?: number | number[]; datetime?: string; limit?: number; cursor?: string; category?: string | string[]; tag?: string | string[]; q?: string; owner?: string; attr?: Record<string, Value | Value[]>; person?: string };
    body: undefined;
    answer: string;
  };
  "GET /ogc/collections/{id}/items/{feature}": {
    parameters: { id: string; feature: string; f?: "json" | "html" };
    body: undefined;
    answer: string;
  };
  "GET /ogc/conformance": {
    parameters: { f?: "json" | "html" };
    body: undefined;
    answer: OGCConformance;
  };
  "GET /p/{place}": {
    parameters: { place: string };
    body: undefined;
    answer: ShownPlace;
  };
  "GET /p/{place}/{product}": {
    parameters: { place: string; product: string };
    body: undefined;
    answer: ShownProduct;
  };
  "POST /pub": {
    parameters: {  };
    body: any;
    answer: any;
  };
  "GET /readyz": {
    parameters: {  };
    body: undefined;
    answer: Health;
  };
  "GET /s/{token}": {
    parameters: { token: string };
    body: undefined;
    answer: SharedView;
  };
  "GET /v1/cities": {
    parameters: { q?: string; lat?: number; lon?: number; limit?: number; fields?: string | string[]; explain?: boolean };
    body: undefined;
    answer: Page<City>;
  };
  "GET /v1/events": {
    parameters: { type?: "ping.moved" | "friend.asked" | "friend.made" | "friend.ended" | "match.made" | "match.undone" | "group.changed" | "group.invited" | "group.joined" | "group.left" | "place.created" | "place.changed" | "place.deleted" | "comment.created" | "comment.changed" | "comment.deleted" | "favourite.count" | "stock.changed" | "fence.enter" | "fence.exit" | "fence.dwell" | "fence.silent" | "fence.asked" | "near.enter" | "near.exit" | "share.opened" | "share.ended" | "events.limited" | ("ping.moved" | "friend.asked" | "friend.made" | "friend.ended" | "match.made" | "match.undone" | "group.changed" | "group.invited" | "group.joined" | "group.left" | "place.created" | "place.changed" | "place.deleted" | "comment.created" | "comment.changed" | "comment.deleted" | "favourite.count" | "stock.changed" | "fence.enter" | "fence.exit" | "fence.dwell" | "fence.silent" | "fence.asked" | "near.enter" | "near.exit" | "share.opened" | "share.ended" | "events.limited")[]; person?: string; place?: string; product?: string; group?: string; fence?: string; in?: string; bbox?: string; lat?: number; lon?: number; within_m?: number; ticket?: string; lastEventId?: string; cursor?: string; limit?: number };
    body: undefined;
    answer: Page<Event>;
  };
  "POST /v1/events/tickets": {
    parameters: {  };
    body: undefined;
    answer: Ticket;
  };
  "GET /v1/exports/tracks": {
    parameters: { person?: string };
    body: undefined;
    answer: string;
  };
  "GET /v1/exports/{kind}": {
    parameters: { kind: "people" | "friends" | "places" | "products" | "stock" | "pings"; delimiter?: "comma" | "semicolon" | "tab"; spreadsheet?: boolean };
    body: undefined;
    answer: string;
  };
  "GET /v1/fences": {
    parameters: { person?: string; lat?: number; lon?: number; within_m?: number; limit?: number; cursor?: string; fields?: string | string[] };
    body: undefined;
    answer: Page<Fence>;
  };
  "DELETE /v1/fences/{id}": {
    parameters: { id: string };
    body: undefined;
    answer: undefined;
  };
  "GET /v1/fences/{id}": {
    parameters: { id: string; fields?: string | string[] };
    body: undefined;
    answer: Fence;
  };
  "PUT /v1/fences/{id}": {
    parameters: { id: string };
    body: FenceForm;
    answer: Fence;
  };
  "POST /v1/groups": {
    parameters: {  };
    body: GroupForm;
    answer: Group;
  };
  "DELETE /v1/groups/{id}": {
    parameters: { id: string };
    body: undefined;
    answer: undefined;
  };
  "GET /v1/groups/{id}": {
    parameters: { id: string; fields?: string | string[] };
    body: undefined;
    answer: Group;
  };
  "PATCH /v1/groups/{id}": {
    parameters: { id: string };
    body: GroupPatch;
    answer: Group;
  };
  "GET /v1/groups/{id}/invitations": {
    parameters: { id: string; limit?: number; cursor?: string; fields?: string | string[] };
    body: undefined;
    answer: Page<Acquaintance>;
  };
  "DELETE /v1/groups/{id}/invitations/{person}": {
    parameters: { id: string; person: string };
    body: undefined;
    answer: undefined;
  };
  "PUT /v1/groups/{id}/invitations/{person}": {
    parameters: { id: string; person: string; by?: string };
    body: undefined;
    answer: Membership;
  };
  "GET /v1/groups/{id}/members": {
    parameters: { id: string; limit?: number; cursor?: string; fields?: string | string[] };
    body: undefined;
    answer: Page<Acquaintance>;
  };
  "DELETE /v1/groups/{id}/members/{person}": {
    parameters: { id: string; person: string };
    body: undefined;
    answer: undefined;
  };
  "PUT /v1/groups/{id}/members/{person}": {
    parameters: { id: string; person: string };
    body: undefined;
    answer: Membership;
  };
  "POST /v1/imports/tracks": {
    parameters: { person?: string; device?: string; format?: "csv" | "geojson" | "gpx" | "json" | "jsonl" | "kml" | "ndjson" | "nmea" | "owntracks" | "rec" | "tcx" | "timeline" | "xml"; dry_run?: boolean };
    body: BodyInit;
    answer: TrackReport;
  };
  "POST /v1/imports/{kind}": {
    parameters: { kind: "people" | "friends" | "places" | "products" | "stock" | "pings"; dry_run?: boolean; normalise?: boolean; currency?: string; attributes?: string; prune?: boolean; events?: boolean };
    body: BodyInit;
    answer: ImportReport;
  };
  "GET /v1/ingest": {
    parameters: {  };
    body: undefined;
    answer: PhoneCounts;
  };
  "GET /v1/nearby": {
    parameters: { lat: number; lon: number; within_m: number; beyond_m?: number; at?: string | "now" | Date; datetime?: string; limit?: number; cursor?: string; fields?: string | string[]; explain?: boolean };
    body: undefined;
    answer: Page<PersonNearby>;
  };
  "GET /v1/people": {
    parameters: { q?: string; email?: string; limit?: number; cursor?: string; fields?: string | string[]; explain?: boolean };
    body: undefined;
    answer: Page<PersonFound>;
  };
  "POST /v1/people": {
    parameters: {  };
    body: NewPersonForm;
    answer: Person;
  };
  "GET /v1/people/nearest": {
    parameters: { lat: number; lon: number; within_m?: number; beyond_m?: number; max_age_s?: number; attr?: Record<string, Value | Value[]>; limit?: number; cursor?: string; fields?: string | string[]; explain?: boolean };
    body: undefined;
    answer: Page<PersonNearby>;
  };
  "DELETE /v1/people/{id}": {
    parameters: { id: string };
    body: undefined;
    answer: undefined;
  };
  "GET /v1/people/{id}": {
    parameters: { id: string; fields?: string | string[] };
    body: undefined;
    answer: Person;
  };
  "PATCH /v1/people/{id}": {
    parameters: { id: string };
    body: PersonForm;
    answer: Person;
  };
  "PUT /v1/people/{id}": {
    parameters: { id: string };
    body: PersonForm;
    answer: Person;
  };
  "GET /v1/people/{id}/blocks": {
    parameters: { id: string; limit?: number; cursor?: string; fields?: string | string[] };
    body: undefined;
    answer: Page<Acquaintance>;
  };
  "DELETE /v1/people/{id}/blocks/{other}": {
    parameters: { id: string; other: string };
    body: undefined;
    answer: undefined;
  };
  "GET /v1/people/{id}/blocks/{other}": {
    parameters: { id: string; other: string; fields?: string | string[] };
    body: undefined;
    answer: Acquaintance;
  };
  "PUT /v1/people/{id}/blocks/{other}": {
    parameters: { id: string; other: string };
    body: undefined;
    answer: undefined;
  };
  "GET /v1/people/{id}/cell": {
    parameters: { id: string };
    body: undefined;
    answer: PublicCell;
  };
  "DELETE /v1/people/{id}/decisions/{other}": {
    parameters: { id: string; other: string };
    body: undefined;
    answer: undefined;
  };
  "PUT /v1/people/{id}/decisions/{other}": {
    parameters: { id: string; other: string };
    body: Decision;
    answer: Match;
  };
  "GET /v1/people/{id}/devices": {
    parameters: { id: string };
    body: undefined;
    answer: Page<Device>;
  };
  "POST /v1/people/{id}/devices": {
    parameters: { id: string };
    body: DeviceForm;
    answer: DeviceToken;
  };
  "DELETE /v1/people/{id}/devices/{device}": {
    parameters: { id: string; device: string };
    body: undefined;
    answer: undefined;
  };
  "POST /v1/people/{id}/devices/{device}/rotate": {
    parameters: { id: string; device: string };
    body: undefined;
    answer: DeviceToken;
  };
  "GET /v1/people/{id}/discovery": {
    parameters: { id: string; within_m?: number; age_min?: number; age_max?: number; sex?: "female" | "male" | "other" | ("female" | "male" | "other")[]; relationship?: "single" | "partnered" | "married" | "separated" | "divorced" | "widowed" | "open" | "complicated" | ("single" | "partnered" | "married" | "separated" | "divorced" | "widowed" | "open" | "complicated")[]; limit?: number; cursor?: string; fields?: string | string[]; explain?: boolean };
    body: undefined;
    answer: Page<Stranger>;
  };
  "GET /v1/people/{id}/encounters": {
    parameters: { id: string; with: string; within_m?: number; datetime?: string; limit?: number; cursor?: string; fields?: string | string[]; explain?: boolean };
    body: undefined;
    answer: Page<Encounter>;
  };
  "GET /v1/people/{id}/export": {
    parameters: { id: string };
    body: undefined;
    answer: PersonExport;
  };
  "GET /v1/people/{id}/favourites/{kind}": {
    parameters: { id: string; kind: "people" | "places" | "products"; limit?: number; cursor?: string; fields?: string | string[] };
    body: undefined;
    answer: Page<Favourite>;
  };
  "DELETE /v1/people/{id}/favourites/{kind}/{other}": {
    parameters: { id: string; kind: "people" | "places" | "products"; other: string };
    body: undefined;
    answer: undefined;
  };
  "GET /v1/people/{id}/favourites/{kind}/{other}": {
    parameters: { id: string; kind: "people" | "places" | "products"; other: string; fields?: string | string[] };
    body: undefined;
    answer: Favourite;
  };
  "PUT /v1/people/{id}/favourites/{kind}/{other}": {
    parameters: { id: string; kind: "people" | "places" | "products"; other: string };
    body: undefined;
    answer: undefined;
  };
  "GET /v1/people/{id}/fences": {
    parameters: { id: string; person?: string; lat?: number; lon?: number; within_m?: number; limit?: number; cursor?: string; fields?: string | string[] };
    body: undefined;
    answer: Page<Fence>;
  };
  "DELETE /v1/people/{id}/fences/{fence}": {
    parameters: { id: string; fence: string };
    body: undefined;
    answer: undefined;
  };
  "GET /v1/people/{id}/fences/{fence}": {
    parameters: { id: string; fence: string; fields?: string | string[] };
    body: undefined;
    answer: Fence;
  };
  "PUT /v1/people/{id}/fences/{fence}": {
    parameters: { id: string; fence: string };
    body: OwnFenceForm;
    answer: Fence;
  };
  "GET /v1/people/{id}/friends": {
    parameters: { id: string; label?: string; limit?: number; cursor?: string; fields?: string | string[] };
    body: undefined;
    answer: Page<Acquaintance>;
  };
  "GET /v1/people/{id}/friends/nearest": {
    parameters: { id: string; at?: string | "now" | Date; group?: string; label?: string; limit?: number; cursor?: string; within_m?: number; beyond_m?: number; fields?: string | string[]; explain?: boolean };
    body: undefined;
    answer: Page<PersonNearby>;
  };
  "GET /v1/people/{id}/friends/requests": {
    parameters: { id: string };
    body: undefined;
    answer: FriendRequests;
  };
  "DELETE /v1/people/{id}/friends/{other}": {
    parameters: { id: string; other: string };
    body: undefined;
    answer: Friendship;
  };
  "PUT /v1/people/{id}/friends/{other}": {
    parameters: { id: string; other: string };
    body: undefined;
    answer: Friendship;
  };
  "DELETE /v1/people/{id}/friends/{other}/alerts": {
    parameters: { id: string; other: string };
    body: undefined;
    answer: undefined;
  };
  "PUT /v1/people/{id}/friends/{other}/alerts": {
    parameters: { id: string; other: string };
    body: FriendAlerts;
    answer: FriendAlerts;
  };
  "DELETE /v1/people/{id}/friends/{other}/label": {
    parameters: { id: string; other: string };
    body: undefined;
    answer: undefined;
  };
  "PUT /v1/people/{id}/friends/{other}/label": {
    parameters: { id: string; other: string };
    body: FriendLabel;
    answer: FriendLabel;
  };
  "GET /v1/people/{id}/groups": {
    parameters: { id: string; limit?: number; cursor?: string; fields?: string | string[] };
    body: undefined;
    answer: Page<Group>;
  };
  "DELETE /v1/people/{id}/history": {
    parameters: { id: string; datetime?: string; in?: string; bbox?: string };
    body: undefined;
    answer: Erased;
  };
  "GET /v1/people/{id}/history": {
    parameters: { id: string; datetime?: string; in?: string; bbox?: string; simplify_m?: number; limit?: number; cursor?: string; fields?: string | string[]; explain?: boolean };
    body: undefined;
    answer: Page<StoredPing>;
  };
  "GET /v1/people/{id}/invitations": {
    parameters: { id: string; limit?: number; cursor?: string; fields?: string | string[] };
    body: undefined;
    answer: Page<Invitation>;
  };
  "GET /v1/people/{id}/matches": {
    parameters: { id: string; limit?: number; cursor?: string; fields?: string | string[] };
    body: undefined;
    answer: Page<Acquaintance>;
  };
  "GET /v1/people/{id}/position": {
    parameters: { id: string; at?: string | "now" | Date };
    body: undefined;
    answer: Position;
  };
  "GET /v1/people/{id}/shares": {
    parameters: { id: string };
    body: undefined;
    answer: Page<Share>;
  };
  "POST /v1/people/{id}/shares": {
    parameters: { id: string };
    body: ShareForm;
    answer: OpenedShare;
  };
  "DELETE /v1/people/{id}/shares/{share}": {
    parameters: { id: string; share: string };
    body: undefined;
    answer: undefined;
  };
  "GET /v1/people/{id}/watchers": {
    parameters: { id: string };
    body: undefined;
    answer: Page<Watcher>;
  };
  "DELETE /v1/people/{id}/watchers/{owner}/{fence}": {
    parameters: { id: string; owner: string; fence: string };
    body: undefined;
    answer: undefined;
  };
  "PUT /v1/people/{id}/watchers/{owner}/{fence}": {
    parameters: { id: string; owner: string; fence: string };
    body: undefined;
    answer: undefined;
  };
  "POST /v1/pings": {
    parameters: {  };
    body: Ping | Ping[];
    answer: PingReport;
  };
  "GET /v1/places": {
    parameters: { kind?: string; category?: string | string[]; tag?: string | string[]; q?: string; owner?: string; attr?: Record<string, Value | Value[]>; open_now?: boolean; open_at?: string | Date; in?: string; bbox?: string; contains?: string; limit?: number; sort?: "popularity" | "newest" | "name" | "relevance"; cursor?: string; fields?: string | string[]; explain?: boolean };
    body: undefined;
    answer: Page<Place>;
  };
  "POST /v1/places": {
    parameters: {  };
    body: NewPlaceForm;
    answer: Place;
  };
  "GET /v1/places/clusters": {
    parameters: { kind?: string; category?: string | string[]; tag?: string | string[]; q?: string; owner?: string; attr?: Record<string, Value | Value[]>; open_now?: boolean; open_at?: string | Date; bbox: string; zoom?: number; explain?: boolean };
    body: undefined;
    answer: Page<PlaceCluster>;
  };
  "GET /v1/places/facets": {
    parameters: { kind?: string; category?: string | string[]; tag?: string | string[]; q?: string; owner?: string; attr?: Record<string, Value | Value[]>; open_now?: boolean; open_at?: string | Date; in?: string; bbox?: string; contains?: string; limit?: number; facet?: string | string[]; explain?: boolean };
    body: undefined;
    answer: Facets;
  };
  "GET /v1/places/nearest": {
    parameters: { lat: number; lon: number; limit?: number; cursor?: string; within_m?: number; beyond_m?: number; in?: string; bbox?: string; fields?: string | string[]; open_now?: boolean; open_at?: string | Date; kind?: string; category?: string | string[]; tag?: string | string[]; q?: string; owner?: string; attr?: Record<string, Value | Value[]>; explain?: boolean };
    body: undefined;
    answer: Page<Place>;
  };
  "DELETE /v1/places/{id}": {
    parameters: { id: string };
    body: undefined;
    answer: undefined;
  };
  "GET /v1/places/{id}": {
    parameters: { id: string; fields?: string | string[] };
    body: undefined;
    answer: Place;
  };
  "PATCH /v1/places/{id}": {
    parameters: { id: string };
    body: PlacePatch;
    answer: Place;
  };
  "PUT /v1/places/{id}": {
    parameters: { id: string };
    body: PlaceForm;
    answer: Place;
  };
  "GET /v1/places/{id}/comments": {
    parameters: { id: string; limit?: number; cursor?: string; fields?: string | string[]; count?: boolean };
    body: undefined;
    answer: Page<Comment>;
  };
  "POST /v1/places/{id}/comments": {
    parameters: { id: string };
    body: CommentForm;
    answer: Comment;
  };
  "DELETE /v1/places/{id}/comments/{comment}": {
    parameters: { id: string; comment: string };
    body: undefined;
    answer: undefined;
  };
  "GET /v1/places/{id}/comments/{comment}": {
    parameters: { id: string; comment: string; fields?: string | string[] };
    body: undefined;
    answer: Comment;
  };
  "PATCH /v1/places/{id}/comments/{comment}": {
    parameters: { id: string; comment: string };
    body: CommentPatch;
    answer: Comment;
  };
  "GET /v1/products": {
    parameters: { product?: string | string[]; brand?: string | string[]; category?: string | string[]; gender?: string | string[]; color?: string | string[]; material?: string | string[]; size?: string | string[]; attr?: Record<string, Value | Value[]>; price_min?: number; price_max?: number; currency?: string; q?: string; for?: string; sort?: "id" | "price" | "price_desc" | "name" | "newest" | "relevance"; limit?: number; cursor?: string; fields?: string | string[]; explain?: boolean };
    body: undefined;
    answer: Page<Product>;
  };
  "GET /v1/products/facets": {
    parameters: { product?: string | string[]; brand?: string | string[]; category?: string | string[]; gender?: string | string[]; color?: string | string[]; material?: string | string[]; size?: string | string[]; attr?: Record<string, Value | Value[]>; price_min?: number; price_max?: number; currency?: string; q?: string; for?: string; facet?: string | string[]; brand_q?: string; limit?: number; explain?: boolean };
    body: undefined;
    answer: Facets;
  };
  "DELETE /v1/products/{id}": {
    parameters: { id: string };
    body: undefined;
    answer: undefined;
  };
  "GET /v1/products/{id}": {
    parameters: { id: string; fields?: string | string[] };
    body: undefined;
    answer: Product;
  };
  "PUT /v1/products/{id}": {
    parameters: { id: string };
    body: ProductForm;
    answer: Product;
  };
  "POST /v1/query": {
    parameters: {  };
    body: Queries;
    answer: Answers;
  };
  "GET /v1/service": {
    parameters: {  };
    body: undefined;
    answer: Installation;
  };
  "GET /v1/stores/nearest": {
    parameters: { lat: number; lon: number; limit?: number; cursor?: string; within_m?: number; beyond_m?: number; in?: string; bbox?: string; fields?: string | string[]; open_now?: boolean; open_at?: string | Date; "store.category"?: string | string[]; tag?: string | string[]; "store.attr"?: Record<string, Value | Value[]>; product?: string | string[]; brand?: string | string[]; category?: string | string[]; gender?: string | string[]; color?: string | string[]; material?: string | string[]; size?: string | string[]; attr?: Record<string, Value | Value[]>; price_min?: number; price_max?: number; currency?: string; q?: string; for?: string; sort?: "distance" | "price" | "pareto"; explain?: boolean };
    body: undefined;
    answer: Page<Store>;
  };
  "GET /v1/stores/{id}/stock": {
    parameters: { id: string };
    body: undefined;
    answer: Page<Stock>;
  };
  "DELETE /v1/stores/{id}/stock/{product}": {
    parameters: { id: string; product: string };
    body: undefined;
    answer: undefined;
  };
  "GET /v1/stores/{id}/stock/{product}": {
    parameters: { id: string; product: string };
    body: undefined;
    answer: Stock;
  };
  "PUT /v1/stores/{id}/stock/{product}": {
    parameters: { id: string; product: string };
    body: StockForm;
    answer: Stock;
  };
  "GET /v1/tiles/{kind}.json": {
    parameters: { kind: string };
    body: undefined;
    answer: TileJSON;
  };
  "GET /v1/tiles/{kind}/style.json": {
    parameters: { kind: string };
    body: undefined;
    answer: MapStyle;
  };
  "GET /v1/tiles/{kind}/{z}/{x}/{y}.mvt": {
    parameters: { kind: string; z: number; x: number; y: number };
    body: undefined;
    answer: string;
  };
  "GET /v1/webhooks": {
    parameters: { limit?: number; cursor?: string; fields?: string | string[] };
    body: undefined;
    answer: Page<Webhook>;
  };
  "DELETE /v1/webhooks/{id}": {
    parameters: { id: string };
    body: undefined;
    answer: undefined;
  };
  "GET /v1/webhooks/{id}": {
    parameters: { id: string; fields?: string | string[] };
    body: undefined;
    answer: Webhook;
  };
  "PUT /v1/webhooks/{id}": {
    parameters: { id: string };
    body: WebhookForm;
    answer: Webhook;
  };
  "GET /v1/webhooks/{id}/deliveries": {
    parameters: { id: string };
    body: undefined;
    answer: Deliveries;
  };
  "POST /v1/webhooks/{id}/redeliver": {
    parameters: { id: string; from: number };
    body: undefined;
    answer: undefined;
  };
  "POST /v1/webhooks/{id}/rotate": {
    parameters: { id: string };
    body: undefined;
    answer: WebhookSecret;
  };
  "POST /v1/webhooks/{id}/test": {
    parameters: { id: string };
    body: undefined;
    answer: Delivery;
  };
}
