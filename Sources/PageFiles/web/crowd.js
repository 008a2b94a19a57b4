// Moving dots on a canvas of their own; while they are few, with names, trails and directions.
import { element } from "./dom.js";
import { themeColor, layer, map } from "./map.js";

const L = window.L;

/** The maximum number of people drawn with names and trails; more would cover the map and each other. */
const most = 60;
/** The width of a dot's picture, and the height and offset of the name beside it, in pixels. */
const [width, height, gap] = [14, 16, 9];
/** The space of a name, in which no other name begins. */
const room = { width: 48, height: 14 };

/** A picture of a dot in a theme color, for the screen's pixel ratio. */
function pictureOfDot(name) {
  const pixelRatio = Math.ceil(devicePixelRatio);
  const picture = element("canvas", { width: width * pixelRatio, height: width * pixelRatio });
  const context = picture.getContext("2d");
  context.scale(pixelRatio, pixelRatio);
  context.arc(width / 2, width / 2, width / 2 - 2, 0, 2 * Math.PI);
  [context.fillStyle, context.strokeStyle, context.lineWidth, context.globalAlpha] = [themeColor(name), themeColor(name), 1.5, 0.75];
  context.fill();
  context.globalAlpha = 1;
  context.stroke();
  return picture;
}

/** Draws the heading of a dot: an arrowhead at its edge. */
function drawHeading(context, { x, y }, heading, color) {
  context.save();
  context.translate(x, y);
  context.rotate(heading * Math.PI / 180);
  context.beginPath();
  context.moveTo(0, -12);
  context.lineTo(-4, -6);
  context.lineTo(4, -6);
  context.closePath();
  context.fillStyle = color;
  context.fill();
  context.restore();
}

function drawName(context, { x, y }, name, colors) {
  context.font = "600 12px system-ui, sans-serif";
  context.textBaseline = "middle";
  [context.strokeStyle, context.lineWidth, context.lineJoin, context.fillStyle] = [colors.ground, 3, "round", colors.text];
  context.strokeText(name, x + gap, y);
  context.fillText(name, x + gap, y);
}

/**
 * A layer of dots that move without a redraw of other layers; when closed it is hidden and intercepts no clicks.
 *
 * Each dot is a copy of one picture, because drawing a thousand circles takes several times as long. A dot's `about`
 * returns its `name`, `label`, `heading` in degrees and `trail` (earlier places) whenever it is drawn or hovered.
 */
export function crowdLayer(name) {
  const pane = map.createPane("crowd");
  pane.style.zIndex = 450;
  const colors = {};
  let picture;
  let isDetailed = true;
  const measure = element("canvas").getContext("2d");
  measure.font = "600 12px system-ui, sans-serif";

  /** The canvas of fences and places, below this one. */
  const below = map.getRenderer(L.circleMarker([0, 0]));

  const Copies = L.Canvas.extend({
    _onClick(event) {
      const at = map.mouseEventToLayerPoint(event);
      const isOnDot = dots.getLayers().some((one) => one._containsPoint(at));
      L.Canvas.prototype._onClick.call(isOnDot ? this : below, event);
    },
    _onMouseMove(event) {
      L.Canvas.prototype._onMouseMove.call(this, event);
      if (this._hoveredLayer) below._handleMouseOut(event);
      else below._onMouseMove(event);
      this._container.style.cursor = below._hoveredLayer ? "pointer" : "";
    },
    _updateCircle({ _point: point, about, isNamed }) {
      if (!this._drawing) return;
      // A trail drawn earlier leaves its opacity in the context.
      this._ctx.globalAlpha = 1;
      this._ctx.drawImage(picture, point.x - width / 2, point.y - width / 2, width, width);
      if (!isDetailed) return;
      const now = about();
      if (now.heading !== undefined) drawHeading(this._ctx, point, now.heading, colors.dot);
      if (isNamed !== false) drawName(this._ctx, point, now.name, colors);
    },
  });
  const Dot = L.CircleMarker.extend({
    _updateBounds() {
      L.CircleMarker.prototype._updateBounds.call(this);
      if (!isDetailed) return;
      const right = gap + measure.measureText(this.about().name).width + 4;
      this._pxBounds.extend(this._point.add([right, height])).extend(this._point.subtract([height, height]));
    },
  });
  const [renderer, trails, dots] = [new Copies({ pane: "crowd" }), layer(), layer()];
  const drawn = { renderer, pane: "crowd" };

  function draw(one) {
    const { trail } = one.about();
    one.redraw();
    const isTrail = isDetailed && trail.length > 0;
    if (!isTrail) {
      if (one.line) trails.removeLayer(one.line);
      one.line = undefined;
      return;
    }
    one.line ??= L.polyline([], { ...drawn, color: colors.dot, weight: 3, opacity: 0.45, interactive: false, smoothFactor: 0 })
      .addTo(trails);
    one.line.setLatLngs([...trail.map(({ lat, lon }) => [lat, lon]), one.getLatLng()]);
  }

  /** Leaves out names that would overlap. */
  function spread() {
    const taken = [];
    dots.eachLayer((one) => {
      const { x, y } = map.latLngToLayerPoint(one.getLatLng());
      const isNamed = !taken.some((other) => Math.abs(other.x - x) < room.width && Math.abs(other.y - y) < room.height);
      if (isNamed) taken.push({ x, y });
      if (isNamed === (one.isNamed !== false)) return;
      one.isNamed = isNamed;
      one.redraw();
    });
  }

  return {
    open() {
      picture = pictureOfDot(name);
      Object.assign(colors, { dot: themeColor(name), ground: themeColor("ground"), text: themeColor("text") });
      pane.style.display = "";
    },
    close() {
      trails.clearLayers();
      dots.clearLayers();
      pane.style.display = "none";
    },
    add(place, about, click) {
      const one = new Dot([place.lat, place.lon], { ...drawn, radius: 6, bubblingMouseEvents: false });
      one.about = about;
      return one.bindTooltip(() => element("span", {}, one.about().label)).on("click", click).addTo(dots);
    },
    move(one, place) {
      one.setLatLng([place.lat, place.lon]);
      draw(one);
    },
    remove(one) {
      if (one.line) trails.removeLayer(one.line);
      dots.removeLayer(one);
    },
    /** Sets the number of dots: few are drawn with names and trails, many without. */
    count(number) {
      if (number <= most !== isDetailed) {
        isDetailed = number <= most;
        dots.eachLayer(draw);
      }
      if (isDetailed) spread();
    },
    /** The number of trails drawn. */
    get trails() { return trails.getLayers().length; },
  };
}
