/* Threads of C++: what its library builds from atomic variables and futexes, static variables
 * of functions, condition variables with a predicate, objects. */
#include "scenario.h"

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <exception>
#include <future>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

static std::mutex m;
SHARED int x;

/* Counts before it passes the lock, or behind it. */
static void count_and_pass() {
  x++;
  std::lock_guard guard(m);
}
static void pass_and_count() {
  {
    later();
    std::lock_guard guard(m);
  }
  x++;
}
SCENARIO(cxx_threads, RACE) {
  std::jthread one(count_and_pass), two(pass_and_count);
}

/* ---- futures ------------------------------------------------------------------------ */

/* What comes before a value is set is seen by who gets it; what comes after is not. */
SCENARIO(cxx_future, CLEAN) {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::jthread setter([&] {
    x++;
    promise.set_value(1);
  });
  x += future.get();
}
SCENARIO(cxx_future_late, RACE) {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::jthread setter([&] {
    promise.set_value(1);
    later();
    x++;
  });
  x += future.get();
}
SCENARIO(cxx_async_throws, CLEAN) {
  std::future<int> future = std::async(std::launch::async, []() -> int {
    x++;
    throw std::runtime_error("a message that is long enough to be allocated");
  });
  try {
    future.get();
  } catch (std::exception &e) {
    x += e.what()[0];
  }
}

/* ---- static variables of functions -------------------------------------------------- */

struct Value {
  int value;
  Value() : value(42) {
  }
};
static int &static_value() {
  static Value made;
  return made.value;
}
SCENARIO(cxx_static_read, CLEAN) {
  std::jthread one([] { x = static_value(); });
  later();
  if (static_value() != 42) abort();
}
SCENARIO(cxx_static_written, RACE) {
  std::jthread one([] { static_value()++; });
  later();
  static_value()++;
}

/* Made under the lock that others hold when they come there. */
struct Locked {
  int value;
  Locked() {
    std::lock_guard guard(m);
    value = 1;
  }
};
static int locked_value() {
  static Locked made;
  return made.value;
}
SCENARIO(cxx_static_lock, DEADLOCK) {
  std::jthread one([] { x = locked_value(); });
  later();
  std::lock_guard guard(m);
  static_value() = locked_value();
}

/* Left by an exception, it is made by whoever comes next. */
static std::atomic<int> attempts;
struct Second {
  int value;
  Second() {
    if (attempts++ == 0) throw 1;
    value = 2;
  }
};
static int second_value() {
  static Second made;
  return made.value;
}
SCENARIO(cxx_static_throws, CLEAN) {
  std::jthread one([] {
    try {
      second_value();
    } catch (int) {
    }
  });
  later();
  if (second_value() != 2) abort();
}

/* ---- condition variables ------------------------------------------------------------ */

static std::condition_variable condition;
static bool ready;

SCENARIO(cxx_wait_predicate, CLEAN) {
  std::jthread waiter([] {
    std::unique_lock lock(m);
    condition.wait(lock, [] { return ready; });
    x++;
  });
  later();
  x = 7;
  {
    std::lock_guard guard(m);
    ready = true;
  }
  condition.notify_one();
}

/* Who comes late does not wait at all. */
SCENARIO(cxx_wait_skipped, RACE) {
  std::jthread waiter([] {
    {
      std::unique_lock lock(m);
      condition.wait(lock, [] { return ready; });
    }
    x++;
  });
  later();
  {
    std::lock_guard guard(m);
    ready = true;
  }
  x = 7;
  std::lock_guard guard(m);
  condition.notify_one();
}

SCENARIO(cxx_wait_lost, DEADLOCK) {
  std::condition_variable_any any;
  std::recursive_mutex mutex;
  std::jthread waiter([&] {
    std::unique_lock lock(mutex);
    any.wait(lock);
  });
  later();
  std::lock_guard guard(mutex);
  any.notify_one();
}

/* ---- other synchronisation ---------------------------------------------------------- */

SCENARIO(cxx_meeting, CLEAN) {
  enum { COUNT = 3 };
  static int part[COUNT], rounds;
  std::latch latch(COUNT);
  std::barrier barrier(COUNT, []() noexcept { rounds++; });
  std::binary_semaphore one(1);
  std::vector<std::jthread> threads;
  for (int i = 0; i < COUNT; i++)
    threads.emplace_back([&, i] {
      part[i] = i;
      latch.arrive_and_wait();
      int sum = 0;
      for (int p : part) sum += p;
      barrier.arrive_and_wait();
      one.acquire();
      x += sum;
      one.release();
      if (rounds != 1) abort();
    });
}
SCENARIO(cxx_latch_passed, RACE) {
  std::latch latch(2);
  std::jthread one([&] {
    latch.arrive_and_wait();
    x++;
  });
  latch.arrive_and_wait();
  later();
  x++;
}
static std::shared_mutex shared;
SCENARIO(cxx_shared_mutex, RACE) {
  std::jthread one([] {
    std::shared_lock lock(shared);
    x++;
  });
  later();
  std::shared_lock lock(shared);
  x++;
}
SCENARIO(cxx_locks_together, CLEAN) {
  static std::mutex a, b;
  std::jthread one([] {
    std::scoped_lock both(a, b);
    x++;
  });
  later();
  std::scoped_lock both(b, a);
  x++;
}

/* ---- objects ------------------------------------------------------------------------- */

static std::string text = "a string that is too long to be kept in the object itself";
SHARED size_t length;
SCENARIO(cxx_string, RACE) {
  std::jthread one([] { text.assign("another one that is too long for it, and even longer"); });
  later();
  length = text.size();
}
struct Counted {
  int value = 3;
  ~Counted() {
    value = 0;
  }
};
SCENARIO(cxx_shared_pointer, CLEAN) {
  auto pointer = std::make_shared<Counted>();
  std::jthread one([pointer]() mutable {
    if (pointer->value != 3) abort();
    pointer.reset();
  });
  if (pointer->value != 3) abort();
  pointer.reset();
}
static std::shared_ptr<int> changing;
SCENARIO(cxx_changed_pointer, RACE) {
  changing = std::make_shared<int>(1);
  std::jthread one([] { changing = std::make_shared<int>(2); });
  later();
  std::shared_ptr<int> copy = changing;
}
struct Total {
  int count = 0;
  ~Total() {
    x += count;
  }
};
static thread_local Total total;
SCENARIO(cxx_thread_local, RACE) {
  std::jthread one([] { total.count = 1; });
  later();
  std::jthread two([] { total.count = 2; });
}
